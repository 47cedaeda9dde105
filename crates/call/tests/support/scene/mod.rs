//! A call in virtual time: a caller who speaks by a timetable, engines that answer
//! by a script, and a journal that remembers. Everything between them is the real call.

#![allow(dead_code, reason = "each program of tests uses a part of it")]

mod scripted_caller;
mod scripted_desk;
mod scripted_engines;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use call::{
    CallEvent, CallStarted, ChatModel, CutOff, DutyDesk, EndedCall, Journal, JournalError, Manner,
    NewCall, NotAccepted, OfficerId, SavedTurn, Switchboard, SwitchboardParts,
};
use flow::{Agency, AssistantScript, EndReason, Hint};
use speech::{EndOfTurn, Standing, Voice};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;
use turn::{EndCallPhrases, Ring, Unreached};

use scripted_caller::ScriptedCaller;
use scripted_desk::{ScriptedDesk, get_ready, staff};
use scripted_engines::{ScriptedTranscriber, ScriptedVoice};

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
    /// Their page sends this message, as soon as nothing is being said on this line.
    Sends(&'static str),
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
    /// So long after the call began, whoever is on duty.
    pub before_any_ring: Vec<(Duration, AtTheDesk)>,
    /// When the page tells the server that the caller has left it; what their line brings goes on.
    pub page_leaves_at: Option<Duration>,
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
            before_any_ring: Vec::new(),
            page_leaves_at: None,
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
    /// What was said in all of them.
    pub stored: Vec<String>,
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
        let before_any_ring = get_ready(self.before_any_ring, &stage).await;
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
        if let Some(after) = self.page_leaves_at {
            let board = Arc::clone(&board);
            tokio::spawn(async move {
                // Virtual time: the clock is paused.
                tokio::time::sleep_until(start + after).await;
                assert!(board.hang_up(id, EndReason::CallerEnded));
            });
        }
        let rung = self.on_duty.then(|| Arc::clone(&desk));
        let staffs = [(rung, at_the_desk), (None, before_any_ring)];
        let staffs = staffs.map(|(rung, acts)| {
            let (board, stage) = (Arc::clone(&board), Arc::clone(&stage));
            tokio::spawn(staff(rung, board, stage, (id, start), acts))
        });
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
        for staff in staffs {
            if staff.is_finished() {
                staff.await.expect("all of it could be done");
            } else {
                staff.abort();
            }
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
            stored: notebook.stored.lock().expect("unpoisoned").clone(),
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

#[derive(Default)]
struct Notebook {
    records: Records,
    start: Mutex<Option<Instant>>,
    saved: Mutex<Vec<(u32, Duration)>>,
    stored: Mutex<Vec<String>>,
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
        let words = turn.messages.iter();
        let words = words.map(|message| message.words.expose_secret().clone());
        self.stored.lock().expect("unpoisoned").extend(words);
        Ok(())
    }

    async fn finished(&self, _call: uuid::Uuid, ended: EndedCall) {
        self.ended.lock().expect("unpoisoned").replace(ended);
    }
}
