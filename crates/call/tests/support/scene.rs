//! A call in virtual time: a caller who speaks by a timetable, engines that answer
//! by a script, and a journal that remembers. Everything between them is the real call.

#![allow(dead_code, reason = "each program of tests uses a part of it")]

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use call::media::{AudioFrame, CloseReason, FRAME_SAMPLES, FromCaller, Transport};
use call::{
    CallEvent, CallStarted, ChatModel, CutOff, DutyDesk, EndedCall, Joining, Journal, JournalError,
    Manner, NewCall, NotAccepted, OfficerId, SavedTurn, Switchboard, SwitchboardParts,
};
use flow::{Agency, AssistantScript, Hint, Secret};
use speech::{
    EndOfTurn, FliteVoice, Rendering, Sound, SpeechStream, Standing, TranscribeError, Transcriber,
    Voice, VoiceError,
};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;
use turn::{EndCallPhrases, Ring, Unreached};

/// What the caller does, in order.
pub enum Act {
    /// Speaks once the assistant has been silent for this long.
    Replies(&'static str),
    /// Speaks this long after the assistant began to.
    Interrupts {
        after: Duration,
        words: &'static str,
    },
    /// Speaks at this moment of the call, whoever else does.
    SpeaksAt(Duration, &'static str),
    /// Hangs up once the assistant has been silent for a second.
    HangsUp,
    /// Hangs up at this moment of the call.
    HangsUpAt(Duration),
    /// The line is lost at this moment of the call.
    IsLostAt(Duration),
    /// The line is lost so long after the caller last spoke, or the call began.
    IsCutOff { after: Duration },
    /// Says this over and over, with a second's silence after each, fifty times faster than anybody speaks.
    Floods(&'static str),
    /// Makes the call's own task panic, once the assistant has been silent for a second.
    BreaksTheCall { and_its_goodbye: bool },
}

/// What happens at the duty desk.
pub enum AtTheDesk {
    /// This officer accepts and, if they have a line, comes onto it.
    Accepts(u8, Option<Vec<Act>>),
    AllDecline,
    /// This one comes onto the call's line to listen.
    Listens(u8, Vec<Act>),
    /// The same, to be heard by officers alone.
    Coaches(u8, Vec<Act>),
    TakesOver(u8),
    /// The same of one who is not on the call.
    TakesOverInVain(u8),
    IsReady(u8),
    PutsOnHold(u8),
    TakesBack(u8),
    Leaves(u8),
    /// Somebody there whispers this to the assistant.
    Whispers(Hint),
}

pub fn officer(number: u8) -> OfficerId {
    OfficerId(uuid::Uuid::from_u128(number.into()))
}

/// How long a call waits for a caller who was cut off.
pub const RETURN_WITHIN: Duration = Duration::from_secs(30);

/// How long the assistant must be silent before the caller replies.
const POLITE_PAUSE: Duration = Duration::from_millis(700);

/// How the journal behaves.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Records {
    #[default]
    Work,
    Hang,
}

/// How the voice behaves once the switchboard is open.
#[derive(Clone, Copy, PartialEq)]
pub enum Engine {
    Works,
    Fails,
    NeverAnswers,
    /// The voice's first sound comes after the planned wait is over.
    Late,
    Panics,
    /// Keeps what is always said, as a rendered voice does, and fails with all else.
    KeepsOnlyWhatIsAlwaysSaid,
    /// The same, but all else is given for half a second before it breaks.
    BreaksOff,
    /// The same, but all else is not made before the call is over.
    IsBusyWithAllElse,
    /// The same, but all else takes so long, and it knows that beforehand.
    TakesForAllElse(Duration),
}

impl Engine {
    fn keeps_what_is_always_said(self) -> bool {
        matches!(
            self,
            Self::KeepsOnlyWhatIsAlwaysSaid
                | Self::BreaksOff
                | Self::IsBusyWithAllElse
                | Self::TakesForAllElse(_)
        )
    }
}

pub struct Scene {
    pub acts: Vec<Act>,
    pub plan: turn::Plan,
    pub manner: Manner,
    pub records: Records,
    pub voice: Engine,
    pub transcriber: Engine,
    pub chat_model: Option<Arc<dyn ChatModel>>,
    pub end_of_turn: Option<Arc<dyn EndOfTurn>>,
    /// On another line, so long after the call began.
    pub comes_back: Option<(Duration, Vec<Act>)>,
    /// A moment before that somebody else asks for a line, of which there is one.
    pub another_asks: bool,
    /// What an earlier run left of the call.
    pub cut_off: Option<CutOff>,
    /// Somebody is on duty.
    pub on_duty: bool,
    /// So long after officers were first rung; after the call began, where nobody is on duty.
    pub at_the_desk: Vec<(Duration, AtTheDesk)>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            acts: Vec::new(),
            plan: turn::Plan::default(),
            manner: Manner::default(),
            records: Records::Work,
            voice: Engine::Works,
            transcriber: Engine::Works,
            chat_model: None,
            end_of_turn: None,
            comes_back: None,
            another_asks: false,
            cut_off: None,
            on_duty: false,
            at_the_desk: Vec::new(),
        }
    }
}

/// What came of it.
pub struct Seen {
    pub events: Vec<CallEvent>,
    pub ended: EndedCall,
    /// Spans of the assistant's sound as the caller heard it, and of the caller's own.
    pub heard: Vec<(Duration, Duration)>,
    pub said: Vec<(Duration, Duration)>,
    /// When each turn was saved.
    pub saved: Vec<(u32, Duration)>,
    pub length: Duration,
    /// How often sound was given to the transcriber.
    pub transcriptions: usize,
    /// How soon each was to be heard.
    pub standings: Vec<Standing>,
    /// How soon each sentence was to be made.
    pub spoken_to: Vec<(Standing, String)>,
    /// What the desk was asked to do.
    pub rung: Vec<(Duration, Asked)>,
    /// Whether each who accepted has the call, in their order.
    pub accepted: Vec<(u8, Result<(), NotAccepted>)>,
    /// What each officer heard on their line, and said.
    pub officers: HashMap<u8, Line>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    Rings(Agency, Ring),
    StopsRinging(Option<OfficerId>),
    IsGivenBack(OfficerId),
    Alerts(Unreached),
}

/// Spans of sound on one line.
#[derive(Debug, Default)]
pub struct Line {
    pub heard: Vec<(Duration, Duration)>,
    pub said: Vec<(Duration, Duration)>,
}

impl Scene {
    pub async fn play(self) -> Seen {
        let script = Arc::new(AssistantScript::built_in());
        let stage = Arc::new(Stage::default());
        let notebook = Arc::new(Notebook {
            records: self.records,
            ..Notebook::default()
        });
        let voice = Arc::new(ScriptedVoice {
            engine: Mutex::new(match self.voice.keeps_what_is_always_said() {
                true => self.voice,
                false => Engine::Works,
            }),
            kept: call::fixed_sentences(&script).into_iter().collect(),
            unanswered: Mutex::default(),
            spoken_to: Mutex::default(),
        });
        let desk = Arc::new(ScriptedDesk {
            on_duty: self.on_duty,
            notebook: Arc::clone(&notebook),
            log: Mutex::default(),
            first_ring: Notify::new(),
        });
        let board = Switchboard::open(SwitchboardParts {
            transcriber: Arc::new(ScriptedTranscriber {
                stage: Arc::clone(&stage),
                engine: self.transcriber,
            }),
            voices: vec![Arc::clone(&voice) as Arc<dyn Voice>],
            end_of_turn: self.end_of_turn,
            script,
            reader: Arc::new(reader::Reader::rules_alone()),
            plan: self.plan,
            end_call_phrases: EndCallPhrases::new(["goodbye", "talk to you soon"]),
            authorities: String::from("Authorities"),
            journal: Arc::clone(&notebook) as Arc<dyn Journal>,
            chat_model: self.chat_model,
            desk: Some(Arc::clone(&desk) as Arc<dyn DutyDesk>),
            answered_within: Duration::from_secs(60),
            max_calls: 1,
            return_within: RETURN_WITHIN,
        })
        .await
        .expect("the voice works at start-up");
        *voice.engine.lock().expect("unpoisoned") = self.voice;
        // What is made ready for all calls is said to nobody.
        voice.spoken_to.lock().expect("unpoisoned").clear();

        let at_the_desk = get_ready(self.at_the_desk, &stage).await;
        let mut back = None;
        if let Some((after, acts)) = self.comes_back {
            back = Some((after, ScriptedCaller::new(acts, Arc::clone(&stage)).await));
        }
        let mut caller = ScriptedCaller::new(self.acts, Arc::clone(&stage)).await;
        let start = caller.start_now();
        notebook.start.lock().expect("unpoisoned").replace(start);
        let (events, mut happened) = mpsc::unbounded_channel();
        let id = uuid::Uuid::new_v4();
        let call = NewCall {
            id,
            started_at: "2026-11-20T18:00:00Z".parse().expect("a timestamp"),
            manner: self.manner,
            cut_off: self.cut_off,
            events,
        };
        if let Some((after, mut back)) = back {
            let (board, another_asks) = (Arc::clone(&board), self.another_asks);
            tokio::spawn(async move {
                // Virtual time: the clock is paused.
                tokio::time::sleep(after).await;
                let _others = another_asks.then(|| board.reserve().expect("nobody talks on it"));
                back.start_now();
                back.start = start;
                assert!(
                    board.hand_back(id, Box::new(back)).is_ok(),
                    "the call waits"
                );
            });
        }
        let at_the_desk = tokio::spawn(staff(
            Arc::clone(&desk),
            Arc::clone(&board),
            Arc::clone(&stage),
            (id, start),
            at_the_desk,
        ));
        let line = board.reserve().expect("a free line");
        assert!(board.reserve().is_err(), "there was one line only");
        board.begin(call, line, Box::new(caller));
        let mut seen = Vec::new();
        while let Some(event) = happened.recv().await {
            let last = matches!(event, CallEvent::Ended { .. });
            seen.push(event);
            if last {
                break;
            }
        }
        while board.live_calls() > 0 {
            // Virtual time: the clock is paused.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(board.reserve().is_ok(), "the line is free again");
        if at_the_desk.is_finished() {
            at_the_desk.await.expect("all of it could be done");
        } else {
            at_the_desk.abort();
        }
        let officers = stage.officers.lock().expect("unpoisoned");
        let officers = officers.iter().map(|(number, stage)| {
            let log = stage.log.lock().expect("unpoisoned");
            let line = Line {
                heard: spans(&log.heard),
                said: spans(&log.said),
            };
            (*number, line)
        });
        let officers = officers.collect();
        let accepted = stage.accepted.lock().expect("unpoisoned").clone();
        let stage = stage.log.lock().expect("unpoisoned");
        Seen {
            rung: desk.log.lock().expect("unpoisoned").clone(),
            accepted,
            officers,
            events: seen,
            ended: notebook
                .ended
                .lock()
                .expect("unpoisoned")
                .take()
                .expect("a call that began is finished in the journal"),
            heard: spans(&stage.heard),
            said: spans(&stage.said),
            saved: notebook.saved.lock().expect("unpoisoned").clone(),
            length: start.elapsed(),
            transcriptions: stage.transcriptions,
            standings: stage.standings.clone(),
            spoken_to: voice.spoken_to.lock().expect("unpoisoned").clone(),
        }
    }
}

/// Moments of sound, joined to spans where less than 150 ms lie between them.
fn spans(moments: &[Duration]) -> Vec<(Duration, Duration)> {
    let mut spans: Vec<(Duration, Duration)> = Vec::new();
    for &moment in moments {
        match spans.last_mut() {
            Some((_, to)) if moment.saturating_sub(*to) < Duration::from_millis(150) => {
                *to = moment;
            }
            _ => spans.push((moment, moment)),
        }
    }
    spans
}

/// What happens at the desk, with the lines that it needs: a voice takes its time, and the clock would not wait for it.
type Staff = Vec<(Duration, AtTheDesk, Option<Box<ScriptedCaller>>)>;

async fn get_ready(at_the_desk: Vec<(Duration, AtTheDesk)>, stage: &Stage) -> Staff {
    let mut staff = Vec::new();
    for (after, mut act) in at_the_desk {
        let line = match &mut act {
            AtTheDesk::Accepts(number, acts) => acts.take().map(|acts| (*number, acts)),
            AtTheDesk::Listens(number, acts) | AtTheDesk::Coaches(number, acts) => {
                Some((*number, std::mem::take(acts)))
            }
            _ => None,
        };
        let line = match line {
            Some((number, acts)) => {
                let own = Arc::new(Stage {
                    words: Arc::clone(&stage.words),
                    ..Stage::default()
                });
                {
                    let mut officers = stage.officers.lock().expect("unpoisoned");
                    officers.insert(number, Arc::clone(&own));
                }
                Some(Box::new(ScriptedCaller::new(acts, own).await))
            }
            None => None,
        };
        staff.push((after, act, line));
    }
    staff
}

/// Carries out what happens at the desk, each in its time.
async fn staff(
    desk: Arc<ScriptedDesk>,
    board: Arc<Switchboard>,
    stage: Arc<Stage>,
    (call, start): (uuid::Uuid, Instant),
    staff: Staff,
) {
    if desk.on_duty {
        desk.first_ring.notified().await;
    }
    let begun = Instant::now();
    for (after, act, line) in staff {
        // Virtual time: the clock is paused.
        tokio::time::sleep_until(begun + after).await;
        let line = line.map(|mut line| {
            line.start_now();
            line.start = start;
            line as Box<dyn Transport>
        });
        match act {
            AtTheDesk::Accepts(number, _) => {
                let answer = board.accept(call, officer(number)).await;
                let mut accepted = stage.accepted.lock().expect("unpoisoned");
                accepted.push((number, answer));
                if let Some(line) = line {
                    let joined = board.join(call, officer(number), Joining::Accepted, line);
                    assert!(joined.is_ok(), "the call is live");
                }
            }
            AtTheDesk::Listens(number, _) | AtTheDesk::Coaches(number, _) => {
                let joining = match act {
                    AtTheDesk::Coaches(..) => Joining::Coaching,
                    _ => Joining::Listening,
                };
                let line = line.expect("they have one");
                let joined = board.join(call, officer(number), joining, line);
                assert!(joined.is_ok(), "the call is live");
            }
            AtTheDesk::AllDecline => assert!(board.all_declined(call)),
            AtTheDesk::TakesOver(number) => {
                assert!(board.take_over(call, officer(number)).await);
            }
            AtTheDesk::TakesOverInVain(number) => {
                assert!(!board.take_over(call, officer(number)).await);
            }
            AtTheDesk::IsReady(number) => assert!(board.is_ready(call, officer(number))),
            AtTheDesk::PutsOnHold(number) => {
                let held = board.put_on_hold(call, officer(number)).await;
                assert_eq!(held, Ok(()), "they talk with the caller");
            }
            AtTheDesk::TakesBack(number) => {
                let taken = board.take_back(call, officer(number)).await;
                assert_eq!(taken, Ok(()), "they talk with the caller");
            }
            AtTheDesk::Leaves(number) => assert!(board.leave(call, officer(number)).await),
            AtTheDesk::Whispers(hint) => assert!(board.hint(call, hint)),
        }
    }
}

/// A desk that rings nobody, and remembers what it was asked.
struct ScriptedDesk {
    on_duty: bool,
    notebook: Arc<Notebook>,
    log: Mutex<Vec<(Duration, Asked)>>,
    first_ring: Notify,
}

impl ScriptedDesk {
    fn note(&self, asked: Asked) {
        let start = self.notebook.start.lock().expect("unpoisoned");
        let at = start.expect("started").elapsed();
        self.log.lock().expect("unpoisoned").push((at, asked));
    }
}

impl DutyDesk for ScriptedDesk {
    fn anyone_on_duty(&self) -> bool {
        self.on_duty
    }

    fn ring(&self, _call: uuid::Uuid, agency: Agency, whom: Ring) -> Vec<OfficerId> {
        self.note(Asked::Rings(agency, whom));
        self.first_ring.notify_one();
        Vec::new()
    }

    fn given_back(&self, _call: uuid::Uuid, officer: OfficerId) {
        self.note(Asked::IsGivenBack(officer));
    }

    fn stop_ringing(&self, _call: uuid::Uuid, taken_by: Option<OfficerId>) {
        self.note(Asked::StopsRinging(taken_by));
    }

    fn alert(&self, _call: uuid::Uuid, why: Unreached) {
        self.note(Asked::Alerts(why));
    }
}

#[derive(Default)]
struct Stage {
    log: Mutex<StageLog>,
    /// The words of the utterance being, or last, spoken, by whomever.
    words: Arc<Mutex<&'static str>>,
    officers: Mutex<HashMap<u8, Arc<Stage>>>,
    accepted: Mutex<Vec<(u8, Result<(), NotAccepted>)>>,
}

#[derive(Default)]
struct StageLog {
    heard: Vec<Duration>,
    said: Vec<Duration>,
    transcriptions: usize,
    standings: Vec<Standing>,
}

/// A transport whose caller keeps to a timetable; 50 frames a second, as a browser sends.
struct ScriptedCaller {
    acts: VecDeque<(Act, Vec<i16>)>,
    stage: Arc<Stage>,
    start: Instant,
    next_frame: Instant,
    frame_every: Duration,
    connected: bool,
    speaking: VecDeque<i16>,
    spoke_until: Instant,
    quiet_since: Instant,
    sounding_since: Option<Instant>,
    decoder: opus::Decoder,
    /// Nothing can be sent.
    is_broken: bool,
}

impl ScriptedCaller {
    async fn new(acts: Vec<Act>, stage: Arc<Stage>) -> Self {
        let voice = FliteVoice::named("rms").expect("a flite voice");
        let mut with_sound = VecDeque::new();
        for act in acts {
            let mut sound = Vec::new();
            if let Act::Replies(words)
            | Act::Interrupts { words, .. }
            | Act::Floods(words)
            | Act::SpeaksAt(_, words) = &act
            {
                let stream = voice.speak(Secret::new((*words).to_owned()));
                sound = stream.collect().await.expect("flite speaks");
                // The act ends with the last sound, as the wait for the reply is counted.
                let last = sound.iter().rposition(|sample| sample.unsigned_abs() > 200);
                sound.truncate(last.map_or(0, |last| last + 1));
            }
            with_sound.push_back((act, sound));
        }
        let now = Instant::now();
        Self {
            acts: with_sound,
            stage,
            start: now,
            next_frame: now,
            frame_every: Duration::from_millis(20),
            connected: false,
            speaking: VecDeque::new(),
            spoke_until: now,
            quiet_since: now,
            sounding_since: None,
            decoder: opus::Decoder::new(16_000, opus::Channels::Mono).expect("Opus"),
            is_broken: false,
        }
    }

    fn start_now(&mut self) -> Instant {
        self.start = Instant::now();
        self.next_frame = self.start;
        self.quiet_since = self.start;
        self.spoke_until = self.start;
        self.start
    }

    /// Begins the next act if its moment has come. `Some` when the caller leaves.
    fn act(&mut self) -> Option<CloseReason> {
        let now = Instant::now();
        let quiet_for = now - self.quiet_since;
        let sounding_for = self.sounding_since.map(|since| now - since);
        let due = match &self.acts.front()?.0 {
            Act::Replies(_) | Act::Floods(_) => {
                self.sounding_since.is_some() && quiet_for >= POLITE_PAUSE
            }
            Act::Interrupts { after, .. } => {
                quiet_for < Duration::from_millis(40)
                    && sounding_for.is_some_and(|since| since >= *after)
            }
            Act::SpeaksAt(at, _) | Act::HangsUpAt(at) | Act::IsLostAt(at) => {
                now - self.start >= *at
            }
            Act::IsCutOff { after } => now - self.spoke_until >= *after,
            Act::HangsUp | Act::BreaksTheCall { .. } => {
                self.sounding_since.is_some() && quiet_for >= Duration::from_secs(1)
            }
        };
        if !due {
            return None;
        }
        let (act, mut sound) = self.acts.pop_front()?;
        match act {
            Act::Floods(words) => {
                *self.stage.words.lock().expect("unpoisoned") = words;
                self.frame_every /= 50;
                sound.resize(sound.len() + 16_000, 0);
                self.speaking = sound.repeat(400).into();
                None
            }
            Act::Replies(words) | Act::Interrupts { words, .. } | Act::SpeaksAt(_, words) => {
                *self.stage.words.lock().expect("unpoisoned") = words;
                self.speaking = sound.into();
                self.sounding_since = None;
                None
            }
            Act::HangsUp | Act::HangsUpAt(_) => Some(CloseReason::CallerLeft),
            Act::IsCutOff { .. } | Act::IsLostAt(_) => Some(CloseReason::MediaLost),
            Act::BreaksTheCall { and_its_goodbye } => {
                self.is_broken = and_its_goodbye;
                panic!("on purpose")
            }
        }
    }
}

#[async_trait]
impl Transport for ScriptedCaller {
    async fn next(&mut self) -> FromCaller {
        if !self.connected {
            self.connected = true;
            return FromCaller::Connected;
        }
        tokio::time::sleep_until(self.next_frame).await;
        self.next_frame += self.frame_every;
        if self.speaking.is_empty()
            && let Some(reason) = self.act()
        {
            return FromCaller::Closed(reason);
        }
        let mut frame: AudioFrame = [0; FRAME_SAMPLES];
        let take = self.speaking.len().min(FRAME_SAMPLES);
        for (slot, sample) in frame.iter_mut().zip(self.speaking.drain(..take)) {
            *slot = sample;
        }
        if take > 0 {
            let at = self.start.elapsed();
            self.spoke_until = Instant::now();
            self.stage.log.lock().expect("unpoisoned").said.push(at);
        }
        FromCaller::Audio(frame)
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        assert!(!self.is_broken, "on purpose");
        if frame.iter().any(|sample| sample.unsigned_abs() > 500) {
            let now = Instant::now();
            self.quiet_since = now;
            self.sounding_since.get_or_insert(now);
            let at = self.start.elapsed();
            self.stage.log.lock().expect("unpoisoned").heard.push(at);
        }
    }

    fn send_packet(&mut self, packet: &[u8]) {
        let mut frame = [0; FRAME_SAMPLES];
        let decoded = self.decoder.decode(packet, &mut frame, false);
        decoded.expect("a packet of Opus");
        self.send_audio(&frame);
    }

    fn send_message(&mut self, _text: &str) {}

    async fn close(&mut self) {}
}

struct ScriptedTranscriber {
    stage: Arc<Stage>,
    engine: Engine,
}

#[async_trait]
impl Transcriber for ScriptedTranscriber {
    async fn transcribe(
        &self,
        _samples: Arc<[i16]>,
        standing: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        {
            let mut log = self.stage.log.lock().expect("unpoisoned");
            log.transcriptions += 1;
            log.standings.push(standing);
        }
        // Virtual time: the clock is paused.
        tokio::time::sleep(Duration::from_millis(80)).await;
        match self.engine {
            Engine::Works => {
                let words = *self.stage.words.lock().expect("unpoisoned");
                Ok(Secret::new(words.to_owned()))
            }
            Engine::Fails => Err(TranscribeError::Busy),
            Engine::NeverAnswers | Engine::Late => std::future::pending().await,
            Engine::Panics => panic!("the engine broke"),
            Engine::KeepsOnlyWhatIsAlwaysSaid
            | Engine::BreaksOff
            | Engine::IsBusyWithAllElse
            | Engine::TakesForAllElse(_) => {
                unreachable!("a transcriber keeps nothing")
            }
        }
    }
}

type Chunks = mpsc::UnboundedSender<Result<Sound, VoiceError>>;

/// Longer than the planned wait, shorter than the bound for a greeting to begin.
const LATE: Duration = Duration::from_millis(3_600);

/// Speaks a buzz as long as the sentence would take. About half of the sentences are rendered ahead, as what is always
/// said is: every rule of a call holds for both, and for a reply that has some of each.
struct ScriptedVoice {
    engine: Mutex<Engine>,
    /// What is always said.
    kept: HashSet<String>,
    /// Ends of streams that stay open without a sound.
    unanswered: Mutex<Vec<Chunks>>,
    spoken_to: Mutex<Vec<(Standing, String)>>,
}

impl Voice for ScriptedVoice {
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream {
        let words = sentence.expose_secret().clone();
        let mut spoken_to = self.spoken_to.lock().expect("unpoisoned");
        spoken_to.push((standing, words));
        drop(spoken_to);
        let engine = *self.engine.lock().expect("unpoisoned");
        match engine {
            Engine::Works => {
                let samples = buzz(&sentence);
                SpeechStream::ready([Ok(sound(&sentence, samples))])
            }
            Engine::Late => later(sentence, LATE),
            _ if engine.keeps_what_is_always_said()
                && self.kept.contains(sentence.expose_secret()) =>
            {
                SpeechStream::ready([Ok(rendered(&buzz(&sentence)))])
            }
            Engine::KeepsOnlyWhatIsAlwaysSaid => SpeechStream::ready([Err(VoiceError::Busy)]),
            Engine::BreaksOff => {
                let begun = buzz(&Secret::new("half a second".to_owned()));
                SpeechStream::ready([
                    Ok(Sound::Samples(begun[..8_000].to_vec())),
                    Err(VoiceError::Busy),
                ])
            }
            Engine::TakesForAllElse(time) => later(sentence, time),
            Engine::NeverAnswers | Engine::IsBusyWithAllElse => {
                let (sender, stream) = SpeechStream::channel();
                self.unanswered.lock().expect("unpoisoned").push(sender);
                stream
            }
            Engine::Fails | Engine::Panics => SpeechStream::ready([Err(VoiceError::Busy)]),
        }
    }

    fn begins_within(&self, _: Standing, sentence: &Secret<String>, within: Duration) -> bool {
        match *self.engine.lock().expect("unpoisoned") {
            Engine::TakesForAllElse(time) => {
                self.kept.contains(sentence.expose_secret()) || time <= within
            }
            _ => self.has_room(),
        }
    }
}

/// The sentence's sound after so long.
fn later(sentence: Secret<String>, time: Duration) -> SpeechStream {
    let (sender, stream) = SpeechStream::channel();
    tokio::spawn(async move {
        // Virtual time: the clock is paused.
        tokio::time::sleep(time).await;
        let _ = sender.send(Ok(Sound::Samples(buzz(&sentence))));
    });
    stream
}

fn sound(sentence: &Secret<String>, samples: Vec<i16>) -> Sound {
    let words = sentence.expose_secret();
    match words.len().is_multiple_of(2) {
        true => rendered(&samples),
        false => Sound::Samples(samples),
    }
}

fn rendered(samples: &[i16]) -> Sound {
    Sound::Rendered(Arc::new(Rendering::of(samples).expect("Opus works")))
}

fn buzz(sentence: &Secret<String>) -> Vec<i16> {
    let samples = sentence.expose_secret().split_whitespace().count() * 16_000 * 3 / 10;
    (0..samples)
        .map(|i| if i / 40 % 2 == 0 { 4000 } else { -4000 })
        .collect()
}

#[derive(Default)]
struct Notebook {
    records: Records,
    start: Mutex<Option<Instant>>,
    saved: Mutex<Vec<(u32, Duration)>>,
    ended: Mutex<Option<EndedCall>>,
}

#[async_trait]
impl Journal for Notebook {
    async fn started(&self, _call: CallStarted) {}

    async fn turn(&self, _call: uuid::Uuid, turn: SavedTurn) -> Result<(), JournalError> {
        // Virtual time: the clock is paused.
        tokio::time::sleep(Duration::from_millis(5)).await;
        if self.records == Records::Hang {
            std::future::pending::<()>().await;
        }
        let start = self.start.lock().expect("unpoisoned").expect("started");
        self.saved
            .lock()
            .expect("unpoisoned")
            .push((turn.index, start.elapsed()));
        Ok(())
    }

    async fn finished(&self, _call: uuid::Uuid, ended: EndedCall) {
        self.ended.lock().expect("unpoisoned").replace(ended);
    }
}
