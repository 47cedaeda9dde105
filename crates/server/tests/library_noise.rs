//! What a guest does is no error of ours: a call that is hung up, and packets that somebody made up, leave no error of a
//! library in the log.
#![allow(clippy::unwrap_used)]

#[path = "support/kept_log.rs"]
mod kept_log;
#[path = "../../call/tests/support/str0m_client.rs"]
#[allow(dead_code, reason = "it can misbehave in more ways")]
mod str0m_client;

use std::net::IpAddr;
use std::time::Duration;

use call::media::{FromCaller, Media, MediaSettings, Transport};
use kept_log::KeptLog;
use server::settings::{Log, LogFormat};
use server::telemetry;
use str0m_client::{Behaviour, Noticed, Str0mClient};

#[tokio::test]
async fn a_call_hung_up_and_packets_made_up_are_no_errors() {
    let log = KeptLog::default();
    let usual = Log {
        filter: String::from("info"),
        format: LogFormat::Text,
    };
    telemetry::start_log(&usual, log.clone()).unwrap();
    let media = Media::bind(MediaSettings {
        bind: vec![IpAddr::from([127, 0, 0, 1])],
        ..MediaSettings::default()
    })
    .await
    .unwrap();
    for caller_hangs_up in [true, false] {
        let client = Str0mClient::new().await;
        let (mut transport, answer) = media.accept_offer(&client.offer).unwrap();
        let mut caller = client.connect(&answer, Behaviour::default());
        let opened = async { while !matches!(caller.next().await, Noticed::ChannelOpen) {} };
        let never = async {
            loop {
                transport.next().await;
            }
        };
        tokio::select! {
            () = opened => {}
            () = never => {}
        }
        for (made_up, kind) in [[0u8, 1], [22, 254], [23, 254], [128, 111], [128, 201]]
            .iter()
            .zip(0..)
        {
            caller.send_datagram([made_up.as_slice(), &[kind; 98]].concat());
        }
        caller.send(vec![0xff; 500], true);
        let mut frames = 0;
        while frames < 20 {
            frames += usize::from(matches!(transport.next().await, FromCaller::Audio(_)));
        }
        if caller_hangs_up {
            caller.hang_up();
            while !matches!(transport.next().await, FromCaller::Closed(_)) {}
        }
        transport.close().await;
        drop(transport);
        tokio::time::timeout(Duration::from_secs(5), async {
            while !matches!(caller.next().await, Noticed::Closed) {}
        })
        .await
        .unwrap();
    }
    // Browsers hang up by aborting, which this client does not, and this is what SCTP makes of it.
    let abort = "handle_inbound got err: abort chunk, with following errors: ()";
    log::error!(target: "sctp_proto::association", "{abort}");
    log::warn!(target: "str0m::sdp::parser", "an offer made up by a guest");
    log::warn!(target: "is::agent", "a candidate made up by a guest");
    log::error!(target: "somewhere::else", "a fault of ours is told");
    let log = log.text();
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert!(errors[0].contains("a fault of ours"), "{errors:#?}");
    assert!(!log.contains("made up by a guest"), "{log}");
}
