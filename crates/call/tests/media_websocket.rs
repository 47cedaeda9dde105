//! Calls over a WebSocket: whole frames from messages of any length, in virtual time.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use bytes::Bytes;
use call::media::{
    CloseReason, FRAME_SAMPLES, FromCaller, MAX_MESSAGE_BYTES, SocketFrame, Transport,
    WebSocketTransport,
};
use proptest::prelude::*;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

struct Socket {
    transport: WebSocketTransport,
    to_server: mpsc::Sender<SocketFrame>,
    from_server: mpsc::Receiver<SocketFrame>,
}

/// A socket on which the call has already been announced.
async fn socket(capacity: usize) -> Socket {
    let (to_server, incoming) = mpsc::channel(1_024);
    let (outgoing, from_server) = mpsc::channel(capacity);
    let mut transport = WebSocketTransport::new(incoming, outgoing);
    assert_eq!(transport.next().await, FromCaller::Connected);
    Socket {
        transport,
        to_server,
        from_server,
    }
}

fn pcm(samples: impl IntoIterator<Item = i16>) -> Vec<u8> {
    samples.into_iter().flat_map(i16::to_le_bytes).collect()
}

#[tokio::test(start_paused = true)]
async fn sound_goes_out_as_little_endian_samples() {
    let mut socket = socket(8).await;
    let frame = std::array::from_fn(|i| i as i16 - 160);
    socket.transport.send_audio(&frame);
    assert_eq!(
        socket.from_server.recv().await.unwrap(),
        SocketFrame::Pcm(pcm(frame).into())
    );
}

#[tokio::test(start_paused = true)]
async fn text_is_a_message_both_ways() {
    let mut socket = socket(8).await;
    socket.transport.send_message("listening");
    assert_eq!(
        socket.from_server.recv().await.unwrap(),
        SocketFrame::Text("listening".into())
    );
    let text = "{\"type\":\"end-call\"}".to_owned();
    socket
        .to_server
        .send(SocketFrame::Text(text.clone()))
        .await
        .unwrap();
    let FromCaller::Message(received) = socket.transport.next().await else {
        panic!("no message");
    };
    assert_eq!(received.expose_secret(), &text);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_large_is_passed_over() {
    let mut socket = socket(8).await;
    let large = "x".repeat(MAX_MESSAGE_BYTES + 1);
    socket
        .to_server
        .send(SocketFrame::Text(large))
        .await
        .unwrap();
    socket
        .to_server
        .send(SocketFrame::Text("after".into()))
        .await
        .unwrap();
    let FromCaller::Message(received) = socket.transport.next().await else {
        panic!("no message");
    };
    assert_eq!(received.expose_secret(), "after");
}

#[tokio::test(start_paused = true)]
async fn messages_for_a_slow_socket_wait_in_order_and_sound_does_not() {
    let mut socket = socket(1).await;
    for text in ["one", "two", "three"] {
        socket.transport.send_message(text);
    }
    socket.transport.send_audio(&[1; FRAME_SAMPLES]);

    let mut texts = vec![];
    let reading = async {
        while texts.len() < 3 {
            match socket.from_server.recv().await.unwrap() {
                SocketFrame::Text(text) => texts.push(text),
                other => panic!("{other:?}"),
            }
        }
    };
    tokio::select! {
        event = socket.transport.next() => panic!("{event:?}"),
        () = reading => {}
    }
    assert_eq!(texts, ["one", "two", "three"]);
}

#[tokio::test(start_paused = true)]
async fn a_close_is_a_caller_who_left_and_a_socket_that_is_gone_one_who_is_cut_off() {
    let mut closing = socket(8).await;
    closing.to_server.send(SocketFrame::Close).await.unwrap();
    assert_eq!(
        closing.transport.next().await,
        FromCaller::Closed(CloseReason::CallerLeft)
    );
    assert_eq!(
        closing.transport.next().await,
        FromCaller::Closed(CloseReason::CallerLeft)
    );

    let mut gone = socket(8).await;
    drop(gone.to_server);
    assert_eq!(
        gone.transport.next().await,
        FromCaller::Closed(CloseReason::MediaLost)
    );
}

#[tokio::test(start_paused = true)]
async fn a_goodbye_carries_the_last_messages_and_waits_for_nobody() {
    let mut polite = socket(8).await;
    polite.transport.send_message("goodbye");
    polite.transport.close().await;
    assert_eq!(
        polite.from_server.recv().await.unwrap(),
        SocketFrame::Text("goodbye".into())
    );
    assert_eq!(polite.from_server.recv().await.unwrap(), SocketFrame::Close);

    let mut stuck = socket(1).await;
    stuck.transport.send_message("fills the socket");
    let began = Instant::now();
    stuck.transport.close().await;
    assert!(began.elapsed() <= Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn while_no_sound_arrives_silence_stands_in_for_it() {
    let mut socket = socket(8).await;
    // Before any sound there is nothing to continue.
    assert!(
        timeout(Duration::from_secs(5), socket.transport.next())
            .await
            .is_err()
    );

    socket
        .to_server
        .send(SocketFrame::Pcm(pcm([9; FRAME_SAMPLES]).into()))
        .await
        .unwrap();
    assert_eq!(
        socket.transport.next().await,
        FromCaller::Audio([9; FRAME_SAMPLES])
    );
    let began = Instant::now();
    for _ in 0..100 {
        assert_eq!(socket.transport.next().await, FromCaller::Missing);
    }
    let took = began.elapsed().as_millis();
    assert!((2_100..2_300).contains(&took), "{took} ms");
}

proptest! {
    #[test]
    fn every_sample_arrives_once_and_in_order_however_the_bytes_are_cut(
        cuts in proptest::collection::vec(0..2_000usize, 1..40),
    ) {
        let total: usize = cuts.iter().sum();
        let sound = pcm((0..).map(|i: u32| (i % 30_011) as i16).take(total.div_ceil(2)));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let heard = runtime.block_on(async {
            let mut socket = socket(8).await;
            let mut at = 0;
            for cut in &cuts {
                let piece = Bytes::copy_from_slice(&sound[at..at + cut]);
                at += cut;
                socket.to_server.send(SocketFrame::Pcm(piece)).await.unwrap();
            }
            socket.to_server.send(SocketFrame::Close).await.unwrap();
            let mut heard = vec![];
            while let FromCaller::Audio(frame) = socket.transport.next().await {
                heard.extend_from_slice(&frame);
            }
            heard
        });
        let whole_frames = total / (FRAME_SAMPLES * 2) * FRAME_SAMPLES;
        prop_assert_eq!(pcm(heard), &sound[..whole_frames * 2]);
    }
}
