//! `--hand-overs`: callers at risk and the officer who takes each of their calls, in one process and on one clock.
//!
//! Each says one tone from when they are connected, and hears the other's by its pitch: what the assistant says
//! meanwhile is not mistaken for them. Then the officer leaves; or, where what a call takes is asked for as well, they talk first: the caller
//! alone, as they did to the assistant before, then both at once. The times come out as JSON lines, with marks between which a bench counts
//! the server's processor time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use reqwest::header::{CONTENT_TYPE, COOKIE};
use reqwest::{Client, Url};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep_until, timeout_at};

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
/// By then the caller has heard the officer's voice, so that the call is theirs, and ends when they leave.
const TAKING_OVER: Duration = Duration::from_millis(2_500);
/// The greeting is over when the assistant has said nothing for so long.
const QUIET: Duration = Duration::from_millis(1_200);
/// Where nothing but times is asked for, so many callers are greeted while one is handed over. More would wait until the assistant asks
/// whether they are still there.
const GREETED_MEANWHILE: usize = 2;

type FromDesk = mpsc::UnboundedReceiver<anyhow::Result<News>>;

pub struct Asked {
    pub origin: Url,
    pub http: Client,
    /// The desk's cookie of an officer, who is on duty as soon as their events are read.
    pub cookie: String,
    pub hand_overs: u16,
    /// For how long each call is held by two, by three of whom the officer listens, and by three of whom caller and officer speak.
    /// Zero where only the times are asked for.
    pub talk: Duration,
}

impl Asked {
    /// What a call takes is counted while there is no other.
    fn greeted_meanwhile(&self) -> usize {
        match self.talk.is_zero() {
            true => GREETED_MEANWHILE,
            false => 0,
        }
    }
}

/// Holds them one after another, and prints what it measures.
pub async fn measure(asked: Asked) -> anyhow::Result<()> {
    let asked = Arc::new(asked);
    let sounds = Arc::new(Sounds::made().await?);
    let clock = CallClock::start();
    let (told, mut news) = mpsc::unbounded_channel();
    let desk = Desk {
        // A stream of events has no end that could be waited for.
        http: Client::new(),
        origin: asked.origin.clone(),
        cookie: asked.cookie.clone(),
        clock,
    };
    desk.put("/api/desk/duty", json!({"onDuty": true})).await?;
    let desk = Arc::new(desk);
    let watching = tokio::spawn(Arc::clone(&desk).watch(told));
    let outcome = one_after_another(&asked, clock, &sounds, &desk, &mut news).await;
    watching.abort();
    outcome
}

async fn one_after_another(
    asked: &Arc<Asked>,
    clock: CallClock,
    sounds: &Arc<Sounds>,
    desk: &Arc<Desk>,
    news: &mut FromDesk,
) -> anyhow::Result<()> {
    let mut waiting = VecDeque::new();
    let mut to_come = asked.hand_overs;
    for _ in 0..asked.hand_overs {
        while to_come > 0 && waiting.len() <= asked.greeted_meanwhile() {
            waiting.push_back(Waiting::begins(asked, clock, sounds));
            to_come -= 1;
        }
        let next = waiting.pop_front().context("nobody is left to call")?;
        let caller = next.whose_turn_it_is().await?;
        hand_over(asked.talk, caller, sounds, desk, news).await?;
    }
    Ok(())
}

/// A caller who is greeted, and stays on the line until it is their turn.
struct Waiting {
    turn: oneshot::Sender<()>,
    caller: JoinHandle<anyhow::Result<Caller>>,
}

struct Caller {
    call: String,
    side: Side,
}

impl Waiting {
    fn begins(asked: &Arc<Asked>, clock: CallClock, sounds: &Arc<Sounds>) -> Self {
        let (turn, their_turn) = oneshot::channel();
        let (asked, sounds) = (Arc::clone(asked), Arc::clone(sounds));
        let caller = tokio::spawn(async move {
            let mut caller = Caller::greeted(&asked, clock, &sounds).await?;
            caller.side.until_told(their_turn).await?;
            Ok::<_, anyhow::Error>(caller)
        });
        Self { turn, caller }
    }

    async fn whose_turn_it_is(self) -> anyhow::Result<Caller> {
        // Where it is not received, the task has ended, and tells why.
        let _ = self.turn.send(());
        let caller = self.caller.await;
        caller.context("a caller's task came to an unexpected end")?
    }
}

impl Caller {
    /// On a line, having heard the greeting to its end.
    async fn greeted(asked: &Asked, clock: CallClock, sounds: &Sounds) -> anyhow::Result<Self> {
        let visitor = Visitor::arrive(asked.http.clone(), asked.origin.clone()).await?;
        let call = visitor.start_call(TransportKind::Webrtc).await?;
        let offering = Offering::new(&authority(&asked.origin), clock, None).await?;
        let session = visitor
            .offer(call.web_call_url()?, offering.sdp().to_owned())
            .await?;
        let line = offering.answered(&session.answer)?;
        let mut side = Side::new(line, clock, &sounds.room, OF_OFFICER);
        side.until(|it| it.is_connected).await?;
        side.line.send_message("playable");
        side.until(Side::hears_nothing_more).await?;
        Ok(Self {
            call: call.id,
            side,
        })
    }
}

async fn hand_over(
    talk: Duration,
    caller: Caller,
    sounds: &Sounds,
    desk: &Arc<Desk>,
    news: &mut FromDesk,
) -> anyhow::Result<()> {
    let clock = desk.clock;
    let Caller { call, side } = caller;
    let mut caller = side;
    if !talk.is_zero() {
        caller.speaks(&sounds.speech);
        mark("two-legs");
        caller.during(talk).await?;
        mark("two-legs-over");
        caller.speaks(&sounds.room);
        caller.until(Side::hears_nothing_more).await?;
    }

    let written = clock.now();
    // A voice may have had that pitch for a moment.
    (caller.tone, caller.held) = (None, None);
    caller.speaks(&sounds.of_caller);
    let message = json!({"role": "user", "content": AT_RISK});
    let message = json!({"type": "add-message", "message": message}).to_string();
    caller.line.send_message(&message);
    let taken = loop {
        tokio::select! {
            told = news.recv() => match told.context("the desk's events ended")?? {
                News::Taken(taken) => break taken,
                News::Over(_) => {}
            },
            happened = caller.next() => happened?,
        }
        ensure!(clock.now() < written + PATIENCE, "no desk was rung");
    };
    ensure!(taken.call == call, "the desk was rung for another call");
    let Taken {
        rung,
        accepted,
        line,
        ..
    } = *taken;
    ensure!(rung >= written, "the desk was rung before those words");

    let mut officer = Side::new(line, clock, &sounds.of_officer, OF_CALLER);
    let mut is_ready = false;
    while caller.tone.is_none() || officer.tone.is_none() {
        tokio::select! {
            happened = caller.next() => happened?,
            happened = officer.next() => happened?,
        }
        if officer.is_connected && !std::mem::replace(&mut is_ready, officer.is_connected) {
            let (desk, call) = (Arc::clone(desk), call.clone());
            tokio::spawn(async move { desk.act(&call, "ready").await });
        }
        ensure!(
            clock.now() < accepted + PATIENCE,
            "the two did not hear each other"
        );
    }
    let (Some(by_caller), Some(by_officer)) = (caller.tone, officer.tone) else {
        bail!("the two did not hear each other");
    };
    let since_accepted = |heard: Duration| millis(heard.saturating_sub(accepted));
    tell(&json!({
        "call": call,
        "ring_ms": millis(rung.saturating_sub(written)),
        "caller_hears_ms": since_accepted(by_caller),
        "officer_hears_ms": since_accepted(by_officer),
        "both_hear_ms": since_accepted(by_caller.max(by_officer)),
    }));

    officer.speaks(&sounds.speech);
    caller.speaks(&sounds.room);
    during(TAKING_OVER, &mut caller, &mut officer).await?;
    if !talk.is_zero() {
        talk_with_each_other(talk, &mut caller, &mut officer, sounds).await?;
    }
    desk.act(&call, "leave").await?;
    // The server ends it: what is still on its way is of no more interest.
    caller.line.close().await;
    officer.line.close().await;
    // Until then the officer is on that call, and not rung for the next.
    until_over(&call, clock, news).await?;
    // After a call its officer is not rung for a while, unless they say that they can be.
    desk.put("/api/desk/duty", json!({"onDuty": true})).await
}

/// The caller alone, then both at once. Before each, what was made for the briefing and what they said is to be done with.
async fn talk_with_each_other(
    talk: Duration,
    caller: &mut Side,
    officer: &mut Side,
    sounds: &Sounds,
) -> anyhow::Result<()> {
    for (begin, over, by_officer) in [
        ("three-legs", "three-legs-over", &sounds.room),
        (
            "three-legs-both-speak",
            "three-legs-both-speak-over",
            &sounds.speech,
        ),
    ] {
        caller.speaks(&sounds.room);
        officer.speaks(&sounds.room);
        during(SETTLING, caller, officer).await?;
        caller.speaks(&sounds.speech);
        officer.speaks(by_officer);
        mark(begin);
        during(talk, caller, officer).await?;
        mark(over);
    }
    Ok(())
}

async fn until_over(call: &str, clock: CallClock, news: &mut FromDesk) -> anyhow::Result<()> {
    let given_up = clock.instant(clock.now() + PATIENCE);
    loop {
        let told = timeout_at(given_up, news.recv()).await;
        let told = told.context("a call that its officer left did not end")?;
        match told.context("the desk's events ended")?? {
            News::Over(over) if over == call => return Ok(()),
            _ => {}
        }
    }
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

    async fn until(&mut self, is_so: fn(&Self) -> bool) -> anyhow::Result<()> {
        let given_up = self.clock.now() + PATIENCE;
        while !is_so(self) {
            self.next().await?;
            ensure!(self.clock.now() < given_up, "a caller waited in vain");
        }
        Ok(())
    }

    /// Something was heard, and nothing more for a while.
    fn hears_nothing_more(&self) -> bool {
        let last = self.ear.last_sound();
        last.is_some_and(|last| self.clock.now() > last + QUIET)
    }

    async fn until_told(&mut self, mut told: oneshot::Receiver<()>) -> anyhow::Result<()> {
        loop {
            tokio::select! {
                _ = &mut told => return Ok(()),
                happened = self.next() => happened?,
            }
        }
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

/// What the desk's events tell.
enum News {
    Taken(Box<Taken>),
    /// This call is over, and its officer free.
    Over(String),
}

impl Desk {
    /// Reads the desk's events, and takes every call that rings.
    async fn watch(self: Arc<Self>, told: mpsc::UnboundedSender<anyhow::Result<News>>) {
        let outcome = self.read_events(&told).await;
        let _ = told.send(Err(outcome
            .err()
            .unwrap_or_else(|| anyhow::anyhow!("the desk's events ended"))));
    }

    async fn read_events(
        &self,
        told: &mpsc::UnboundedSender<anyhow::Result<News>>,
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
                let (rings, over) = (call_of("ringing", event), call_of("call-over", event));
                text = rest.to_owned();
                if let Some(call) = rings {
                    let taken = self.take(call, self.clock.now()).await;
                    let _ = told.send(taken.map(|taken| News::Taken(Box::new(taken))));
                }
                if let Some(call) = over {
                    let _ = told.send(Ok(News::Over(call)));
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

/// The call that an event is about, if it is of this name.
fn call_of(name: &str, event: &str) -> Option<String> {
    let of_the_name = |line: &str| line.strip_prefix("event: ") == Some(name);
    let is_it = event.lines().any(of_the_name);
    let data = event.lines().find_map(|line| line.strip_prefix("data: "));
    let data: Value = serde_json::from_str(data.filter(|_| is_it)?).ok()?;
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
    fn an_event_names_its_call() {
        let rings = "event: ringing\ndata: {\"callId\":\"one\",\"agency\":\"SOS\"}";
        assert_eq!(call_of("ringing", rings).as_deref(), Some("one"));
        let call = "event: call\ndata: {\"callId\":\"one\"}";
        assert_eq!(call_of("ringing", call), None);
        assert_eq!(call_of("call-over", call), None);
        assert_eq!(call_of("ringing", ": keep-alive"), None);
    }
}
