//! `--hand-overs`: callers at risk and the officer who takes each of their calls, in one process and on one clock.
//!
//! Each says one tone from when they are connected, and hears the other's by its pitch: what the assistant says
//! meanwhile is not mistaken for them. Then the caller speaks and the officer listens, as the caller spoke to the assistant before, and the
//! officer leaves. The times come out as JSON lines, with marks between which a bench counts the server's processor time.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use reqwest::header::{CONTENT_TYPE, COOKIE};
use reqwest::{Client, Url};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use crate::clip::Clip;
use crate::ear::{Ear, Packet};
use crate::line::{CallClock, FromServer};
use crate::measure::millis;
use crate::media_webrtc::{Offering, WebRtcLine};
use crate::mouth::Mouth;
use crate::place::{TransportKind, Visitor};
use crate::sound::{SAMPLE_RATE, Threshold};

/// Whoever writes this is connected to a person at once.
const AT_RISK: &str = "I don't want to live any more";
const SPOKEN: &str =
    "I have been thinking about it the whole day and I do not know what to do about it any longer";
const OF_CALLER: f64 = 1_550.0;
const OF_OFFICER: f64 = 1_050.0;
/// A part of a hand-over that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(40);
/// From when the two hear each other to when nothing is being made or transcribed for them any more.
const SETTLING: Duration = Duration::from_secs(5);
/// The greeting is over when the assistant has said nothing for so long.
const QUIET: Duration = Duration::from_millis(1_200);

pub struct Asked {
    pub origin: Url,
    pub http: Client,
    /// The desk's cookie of an officer, who is on duty as soon as their events are read.
    pub cookie: String,
    pub hand_overs: u16,
    /// For how long each call is held by two, and then by three.
    pub talk: Duration,
}

/// Holds them one after another, and prints what it measures.
pub async fn measure(asked: Asked) -> anyhow::Result<()> {
    let sounds = Sounds::made().await?;
    let clock = CallClock::start();
    let (told, mut taken) = mpsc::unbounded_channel();
    let desk = Desk {
        // A stream of events has no end that could be waited for.
        http: Client::new(),
        origin: asked.origin.clone(),
        cookie: asked.cookie.clone(),
        clock,
    };
    desk.put("/api/desk/duty", json!({"onDuty": true})).await?;
    let desk = Arc::new(desk);
    let watching = tokio::spawn(Arc::clone(&desk).take_calls(told));
    let mut outcome = Ok(());
    for _ in 0..asked.hand_overs {
        outcome = one(&asked, clock, &sounds, &desk, &mut taken).await;
        if outcome.is_err() {
            break;
        }
    }
    watching.abort();
    outcome
}

async fn one(
    asked: &Asked,
    clock: CallClock,
    sounds: &Sounds,
    desk: &Arc<Desk>,
    taken: &mut mpsc::UnboundedReceiver<anyhow::Result<Taken>>,
) -> anyhow::Result<()> {
    let visitor = Visitor::arrive(asked.http.clone(), asked.origin.clone()).await?;
    let call = visitor.start_call(TransportKind::Webrtc).await?;
    let offering = Offering::new(&authority(&asked.origin), clock, None).await?;
    let session = visitor
        .offer(call.web_call_url()?, offering.sdp().to_owned())
        .await?;
    let line = offering.answered(&session.answer)?;
    let mut caller = Side::new(line, clock, &sounds.room, OF_OFFICER);
    caller.until(PATIENCE, |it| it.is_connected).await?;
    caller.line.send_message("playable");
    caller
        .until(PATIENCE, |it| {
            let last = it.ear.last_sound();
            last.is_some_and(|last| it.clock.now() > last + QUIET)
        })
        .await?;

    caller.speaks(&sounds.speech);
    mark("two-legs");
    caller.during(asked.talk).await?;
    mark("two-legs-over");
    caller.speaks(&sounds.room);
    caller
        .until(PATIENCE, |it| {
            let last = it.ear.last_sound();
            last.is_some_and(|last| it.clock.now() > last + QUIET)
        })
        .await?;

    let written = clock.now();
    caller.speaks(&sounds.of_caller);
    let message = json!({"role": "user", "content": AT_RISK});
    let message = json!({"type": "add-message", "message": message}).to_string();
    caller.line.send_message(&message);
    let taken = loop {
        tokio::select! {
            taken = taken.recv() => break taken.context("the desk's events ended")??,
            happened = caller.next() => happened?,
        }
        ensure!(clock.now() < written + PATIENCE, "no desk was rung");
    };
    ensure!(taken.call == call.id, "the desk was rung for another call");

    let mut officer = Side::new(taken.line, clock, &sounds.of_officer, OF_CALLER);
    let mut is_ready = false;
    while caller.tone.is_none() || officer.tone.is_none() {
        tokio::select! {
            happened = caller.next() => happened?,
            happened = officer.next() => happened?,
        }
        if officer.is_connected && !std::mem::replace(&mut is_ready, officer.is_connected) {
            let (desk, call) = (Arc::clone(desk), taken.call.clone());
            tokio::spawn(async move { desk.act(&call, "ready").await });
        }
        ensure!(
            clock.now() < taken.accepted + PATIENCE,
            "the two did not hear each other"
        );
    }
    let (Some(by_caller), Some(by_officer)) = (caller.tone, officer.tone) else {
        bail!("the two did not hear each other");
    };
    let since_accepted = |heard: Duration| millis(heard.saturating_sub(taken.accepted));
    tell(&json!({
        "call": taken.call,
        "ring_ms": millis(taken.rung.saturating_sub(written)),
        "caller_hears_ms": since_accepted(by_caller),
        "officer_hears_ms": since_accepted(by_officer),
        "both_hear_ms": since_accepted(by_caller.max(by_officer)),
    }));

    // The assistant leaves to who speaks; what was made for the briefing, and what they said, is to be done with.
    officer.speaks(&sounds.speech);
    caller.speaks(&sounds.room);
    during(SETTLING / 2, &mut caller, &mut officer).await?;
    officer.speaks(&sounds.room);
    during(SETTLING, &mut caller, &mut officer).await?;
    caller.speaks(&sounds.speech);
    mark("three-legs");
    during(asked.talk, &mut caller, &mut officer).await?;
    mark("three-legs-over");
    desk.act(&taken.call, "leave").await?;
    // The server ends it: what is still on its way is of no more interest.
    caller.line.close().await;
    officer.line.close().await;
    // After a call its officer is not rung for a while, unless they say that they can be.
    desk.put("/api/desk/duty", json!({"onDuty": true})).await
}

async fn during(time: Duration, caller: &mut Side, officer: &mut Side) -> anyhow::Result<()> {
    let until = caller.clock.now() + time;
    while caller.clock.now() < until {
        tokio::select! {
            happened = caller.next() => happened?,
            happened = officer.next() => happened?,
        }
    }
    Ok(())
}

fn tell(what: &Value) {
    println!("{what}");
}

fn mark(what: &str) {
    tell(&json!({"mark": what}));
}

/// What is said, made once.
struct Sounds {
    room: Arc<Clip>,
    speech: Arc<Clip>,
    of_caller: Arc<Clip>,
    of_officer: Arc<Clip>,
}

impl Sounds {
    async fn made() -> anyhow::Result<Self> {
        let voice = speech::FliteVoice::named("rms")?;
        let tone = |pitch| {
            let samples = tone(pitch, Duration::from_secs(1));
            Clip::from_samples(format!("{pitch} Hz"), samples, Threshold::default())
        };
        Ok(Self {
            room: Arc::new(Clip::room_tone()?),
            speech: Arc::new(Clip::spoken(SPOKEN, &voice, Threshold::default()).await?),
            of_caller: Arc::new(tone(OF_CALLER)?),
            of_officer: Arc::new(tone(OF_OFFICER)?),
        })
    }
}

/// One end of the call.
struct Side {
    line: WebRtcLine,
    clock: CallClock,
    mouth: Mouth,
    ear: Ear,
    is_connected: bool,
    listens_for: f64,
    /// The last packet held the tone.
    held: Option<Duration>,
    /// When the other's tone was first heard.
    tone: Option<Duration>,
}

impl Side {
    fn new(line: WebRtcLine, clock: CallClock, says: &Arc<Clip>, listens_for: f64) -> Self {
        Self {
            line,
            clock,
            mouth: Mouth::new(Arc::clone(says), clock.now()),
            ear: Ear::new(Threshold::default(), false),
            is_connected: false,
            listens_for,
            held: None,
            tone: None,
        }
    }

    /// Says this, over and over.
    fn speaks(&mut self, clip: &Arc<Clip>) {
        self.mouth = Mouth::new(Arc::clone(clip), self.clock.now());
    }

    /// Waits for the next thing, and sends what is due.
    async fn next(&mut self) -> anyhow::Result<()> {
        tokio::select! {
            happened = self.line.next() => match happened {
                FromServer::Connected => self.is_connected = true,
                FromServer::Audio(packet) => self.hear(&packet),
                FromServer::Message(_) => {}
                FromServer::Closed(why) => bail!("a line was closed in the middle: {why:?}"),
            },
            () = sleep_until(self.clock.instant(self.mouth.pace().next())) => {
                let now = self.clock.now();
                while let Some(frame) = self.mouth.next_frame(now) {
                    self.line.send_frame(frame);
                }
            }
        }
        Ok(())
    }

    fn hear(&mut self, packet: &Packet) {
        self.ear.hear(packet);
        // Two running: a voice may have that pitch for a moment.
        match (holds_tone(&packet.samples, self.listens_for), self.held) {
            (true, Some(first)) => drop(self.tone.get_or_insert(first)),
            (true, None) => self.held = Some(packet.arrived),
            (false, _) => self.held = None,
        }
    }

    async fn until(
        &mut self,
        within: Duration,
        is_so: impl Fn(&Self) -> bool,
    ) -> anyhow::Result<()> {
        let given_up = self.clock.now() + within;
        while !is_so(self) {
            self.next().await?;
            ensure!(self.clock.now() < given_up, "a caller waited in vain");
        }
        Ok(())
    }

    async fn during(&mut self, time: Duration) -> anyhow::Result<()> {
        let end = self.clock.now() + time;
        while self.clock.now() < end {
            self.next().await?;
        }
        Ok(())
    }
}

/// An officer's desk.
struct Desk {
    http: Client,
    origin: Url,
    cookie: String,
    clock: CallClock,
}

/// A call that the officer has accepted.
struct Taken {
    call: String,
    rung: Duration,
    accepted: Duration,
    line: WebRtcLine,
}

impl Desk {
    /// Reads the desk's events, and takes every call that rings.
    async fn take_calls(self: Arc<Self>, told: mpsc::UnboundedSender<anyhow::Result<Taken>>) {
        let outcome = self.read_events(&told).await;
        let _ = told.send(Err(outcome
            .err()
            .unwrap_or_else(|| anyhow::anyhow!("the desk's events ended"))));
    }

    async fn read_events(
        &self,
        told: &mpsc::UnboundedSender<anyhow::Result<Taken>>,
    ) -> anyhow::Result<()> {
        let request = self.http.get(self.origin.join("/api/desk/events")?);
        let mut events = request
            .header(COOKIE, &self.cookie)
            .send()
            .await?
            .error_for_status()?;
        let mut text = String::new();
        while let Some(piece) = events.chunk().await? {
            text.push_str(std::str::from_utf8(&piece)?);
            while let Some((event, rest)) = text.split_once("\n\n") {
                let call = ringing(event);
                text = rest.to_owned();
                if let Some(call) = call {
                    let taken = self.take(call, self.clock.now()).await;
                    let _ = told.send(taken);
                }
            }
        }
        Ok(())
    }

    async fn take(&self, call: String, rung: Duration) -> anyhow::Result<Taken> {
        let accepted = self.clock.now();
        self.act(&call, "accept").await?;
        let offering = Offering::new(&authority(&self.origin), self.clock, None).await?;
        let at = self.origin.join(&format!("/api/desk/calls/{call}/line"))?;
        let request = self
            .http
            .post(at)
            .header(COOKIE, &self.cookie)
            .header(CONTENT_TYPE, "application/sdp")
            .body(offering.sdp().to_owned());
        let answer = request.send().await?.error_for_status()?.text().await?;
        let line = offering.answered(&answer)?;
        Ok(Taken {
            call,
            rung,
            accepted,
            line,
        })
    }

    async fn act(&self, call: &str, act: &str) -> anyhow::Result<()> {
        let at = self.origin.join(&format!("/api/desk/calls/{call}/{act}"))?;
        let request = self.http.post(at).header(COOKIE, &self.cookie);
        request.send().await?.error_for_status()?;
        Ok(())
    }

    async fn put(&self, path: &str, body: Value) -> anyhow::Result<()> {
        let request = self.http.put(self.origin.join(path)?);
        let request = request.header(COOKIE, &self.cookie).json(&body);
        request.send().await?.error_for_status()?;
        Ok(())
    }
}

/// The call that an event rings for.
fn ringing(event: &str) -> Option<String> {
    let rings = event.lines().any(|line| line == "event: ringing");
    let data = event.lines().find_map(|line| line.strip_prefix("data: "));
    let data: Value = serde_json::from_str(data.filter(|_| rings)?).ok()?;
    data["callId"].as_str().map(str::to_owned)
}

fn authority(origin: &Url) -> String {
    let port = origin.port_or_known_default().unwrap_or(80);
    format!("{}:{port}", origin.host_str().unwrap_or("127.0.0.1"))
}

fn tone(pitch: f64, lasts: Duration) -> Vec<i16> {
    let samples = (lasts.as_secs_f64() * SAMPLE_RATE as f64) as usize;
    let radians = std::f64::consts::TAU * pitch / SAMPLE_RATE as f64;
    let sample = |n| ((n as f64 * radians).sin() * 9_000.0) as i16;
    (0..samples).map(sample).collect()
}

/// Whether most of what sounds in these is of this pitch (Goertzel's algorithm).
fn holds_tone(samples: &[i16], pitch: f64) -> bool {
    const LOUD: f64 = 500.0;
    const SHARE: f64 = 0.5;
    let radians = std::f64::consts::TAU * pitch / SAMPLE_RATE as f64;
    let coefficient = 2.0 * radians.cos();
    let (mut one, mut two, mut all) = (0.0, 0.0, 0.0);
    for sample in samples {
        let sample = f64::from(*sample);
        let next = sample + coefficient * one - two;
        (two, one) = (one, next);
        all += sample * sample;
    }
    let power = one * one + two * two - coefficient * one * two;
    let count = samples.len().max(1) as f64;
    let loud = (all / count).sqrt() > LOUD;
    loud && 2.0 * power / count > SHARE * all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_known_by_its_pitch_and_among_others() {
        let lasts = Duration::from_millis(20);
        let (caller, officer) = (tone(OF_CALLER, lasts), tone(OF_OFFICER, lasts));
        assert!(holds_tone(&caller, OF_CALLER) && holds_tone(&officer, OF_OFFICER));
        assert!(!holds_tone(&caller, OF_OFFICER) && !holds_tone(&officer, OF_CALLER));
        let quieter = tone(440.0, lasts);
        let both: Vec<i16> = caller
            .iter()
            .zip(&quieter)
            .map(|(one, other)| one + other / 2)
            .collect();
        assert!(holds_tone(&both, OF_CALLER));
        assert!(!holds_tone(&[0; 320], OF_CALLER));
    }

    #[test]
    fn an_event_that_rings_names_its_call() {
        let rings = "event: ringing\ndata: {\"callId\":\"one\",\"agency\":\"SOS\"}";
        assert_eq!(ringing(rings).as_deref(), Some("one"));
        assert_eq!(ringing("event: call\ndata: {\"callId\":\"one\"}"), None);
        assert_eq!(ringing(": keep-alive"), None);
    }
}
