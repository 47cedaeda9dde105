//! What holds whatever happens: random events at random times, in any order.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use redact::Secret;
use turn::{AdaptiveWait, Command, Event, Fallback, Floor, Opinion, Plan, SegmentId, TurnId};

use crate::scene::{Preparation, Scene, ms, quiet_plan};

/// The longest that a live call may go without anything being due: a muted caller's silence.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// Something done to the floor. Segments and turns are those that were given, by their age.
#[derive(Debug, Clone)]
enum Step {
    Frames {
        voiced: bool,
        count: u8,
    },
    Wait {
        ms: u32,
    },
    Heard {
        age: u8,
        words: &'static str,
        is_final: bool,
    },
    NotHeard {
        age: u8,
    },
    Opinion {
        age: u8,
        opinion: Option<Opinion>,
    },
    Prepared {
        age: u8,
    },
    NotPrepared {
        age: u8,
    },
    Other(Event),
}

fn words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "yes",
        "mm-hmm",
        "stop",
        "police",
        "he hit me",
        "and",
        "nine one",
        "♪♪♪",
    ])
}

fn step() -> impl Strategy<Value = Step> {
    let age = || 0..4_u8;
    let other = prop_oneof![
        4 => Just(Event::PlayoutStarted),
        4 => Just(Event::PlayoutFinished),
        1 => words().prop_map(|words| Event::CallerTyped { words: Secret::from(words) }),
        1 => any::<bool>().prop_map(Event::CallerMuted),
        1 => any::<bool>().prop_map(Event::AssistantMuted),
        1 => any::<bool>().prop_map(Event::InterruptionsAllowed),
        1 => any::<bool>().prop_map(Event::HelpAtHand),
        1 => Just(Event::AssistantTold),
        1 => Just(Event::ReplyOvertaken),
        1 => Just(Event::CallConnected),
    ];
    prop_oneof![
        8 => (any::<bool>(), 1..80_u8).prop_map(|(voiced, count)| Step::Frames { voiced, count }),
        3 => (0..8000_u32).prop_map(|ms| Step::Wait { ms }),
        6 => (age(), words(), any::<bool>())
            .prop_map(|(age, words, is_final)| Step::Heard { age, words, is_final }),
        1 => age().prop_map(|age| Step::NotHeard { age }),
        4 => (age(), opinion()).prop_map(|(age, opinion)| Step::Opinion { age, opinion }),
        4 => age().prop_map(|age| Step::Prepared { age }),
        1 => age().prop_map(|age| Step::NotPrepared { age }),
        4 => other.prop_map(Step::Other),
    ]
}

fn opinion() -> impl Strategy<Value = Option<Opinion>> {
    let finished = prop::sample::select(vec![0.0, 0.5, 1.0, f32::NAN]);
    let opinion = (finished, prop::bool::weighted(0.2));
    prop::option::of(opinion.prop_map(|(finished, hushed)| Opinion { finished, hushed }))
}

/// Plans with a fixed wait and with one that fits the speaker, sensible or not.
fn adaptive_wait() -> impl Strategy<Value = Option<AdaptiveWait>> {
    let numbers = prop::sample::select(vec![(600, 2500), (0, 0), (2500, 600), (600, 600)]);
    prop::option::of(numbers.prop_map(|(least, most)| AdaptiveWait {
        least: ms(least),
        most: ms(most),
        ..AdaptiveWait::default()
    }))
}

fn last_step() -> impl Strategy<Value = Option<Event>> {
    prop::sample::select(vec![None, Some(Event::CallEnding), Some(Event::CallerLeft)])
}

fn plan() -> impl Strategy<Value = Plan> {
    let wait = prop::sample::select(vec![0, 400, 3000]);
    let switches = (0..4_usize, any::<bool>(), any::<bool>());
    (wait, adaptive_wait(), switches).prop_map(|(wait, adaptive_wait, switches)| {
        let (stop_words, first, short) = switches;
        let longest_segment = if short { ms(1000) } else { ms(15_000) };
        Plan {
            start_wait: ms(wait),
            adaptive_wait,
            stop_words,
            assistant_speaks_first: first,
            longest_segment,
            ..Plan::default()
        }
    })
}

/// A floor, and what its commands have promised so far.
struct Watched {
    plan: Plan,
    floor: Floor,
    now: Duration,
    segments: Vec<SegmentId>,
    turns: Vec<TurnId>,
    /// Segments that keep audio.
    open: BTreeSet<SegmentId>,
    /// The open segment has been found to hold no word, as far as it goes.
    wordless: bool,
    /// Segments whose pause an opinion was asked on.
    asked: BTreeSet<SegmentId>,
    preparing: BTreeSet<TurnId>,
    is_paused: bool,
    caller_speaks: bool,
    /// Typed words wait for an answer, which does not wait for the voice.
    has_typed: bool,
    ended: bool,
}

impl Watched {
    fn new(plan: Plan) -> Self {
        let mut watched = Self {
            floor: Floor::new(plan.clone()),
            plan,
            now: Duration::ZERO,
            segments: Vec::new(),
            turns: Vec::new(),
            open: BTreeSet::new(),
            wordless: false,
            asked: BTreeSet::new(),
            preparing: BTreeSet::new(),
            is_paused: false,
            caller_speaks: false,
            has_typed: false,
            ended: false,
        };
        watched.feed(Event::CallConnected);
        watched
    }

    fn take(&mut self, step: Step) {
        let nth = |age: u8, len: usize| len.checked_sub(usize::from(age) + 1);
        match step {
            Step::Frames { voiced, count } => {
                for _ in 0..count {
                    self.wait(ms(16));
                    self.feed(Event::VoiceFrame { voiced });
                }
            }
            Step::Wait { ms: wait } => self.wait(ms(wait.into())),
            Step::Heard {
                age,
                words,
                is_final,
            } => {
                if let Some(nth) = nth(age, self.segments.len()) {
                    let segment = self.segments[nth];
                    self.wordless |= !words.chars().any(char::is_alphanumeric);
                    let words = Secret::from(words);
                    self.feed(Event::Transcribed {
                        segment,
                        words,
                        is_final,
                    });
                }
            }
            Step::NotHeard { age } => {
                if let Some(nth) = nth(age, self.segments.len()) {
                    let segment = self.segments[nth];
                    self.wordless = true;
                    self.feed(Event::TranscriptionFailed { segment });
                }
            }
            Step::Opinion { age, opinion } => {
                if let Some(nth) = nth(age, self.segments.len()) {
                    let segment = self.segments[nth];
                    self.feed(Event::OpinionGiven { segment, opinion });
                }
            }
            Step::Prepared { age } => {
                if let Some(nth) = nth(age, self.turns.len()) {
                    let turn = self.turns[nth];
                    self.feed(Event::ReplyPrepared { turn });
                }
            }
            Step::NotPrepared { age } => {
                if let Some(nth) = nth(age, self.turns.len()) {
                    let turn = self.turns[nth];
                    self.feed(Event::ReplyFailed { turn });
                }
            }
            Step::Other(event) => {
                self.has_typed |= matches!(event, Event::CallerTyped { .. });
                self.feed(event);
            }
        }
    }

    /// Lets time pass, with a deadline acted on when it comes.
    fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some((at, _)) = self.floor.poll_deadline().filter(|(at, _)| *at <= until) {
            self.now = at;
            self.floor.handle_deadline(at);
            self.obey();
        }
        self.now = until;
    }

    fn feed(&mut self, event: Event) {
        self.floor.handle(event, self.now);
        self.obey();
    }

    fn obey(&mut self) {
        while let Some(command) = self.floor.poll_command() {
            assert!(!self.ended, "{command:?} after the end");
            self.watch(command);
        }
        match self.floor.poll_deadline() {
            Some((at, why)) => {
                assert!(at > self.now, "{why:?} has passed");
                assert!(at <= self.now + LONGEST_WAIT, "{why:?} is too far off");
            }
            None => assert!(self.ended, "a live call without a deadline"),
        }
    }

    fn watch(&mut self, command: Command) {
        match command {
            Command::OpenSegment { segment, pre_roll } => {
                assert!(pre_roll <= self.plan.longest_segment);
                assert!(self.open.is_empty(), "two segments open at once");
                self.open.insert(segment);
                self.segments.push(segment);
            }
            Command::CloseSegment { segment } | Command::DropSegment { segment } => {
                assert!(self.open.remove(&segment), "{segment} was not open");
                self.wordless = false;
            }
            Command::TranscribeSoFar { segment } => assert!(self.open.contains(&segment)),
            Command::PrepareReply { turn, .. } => {
                assert!(self.preparing.is_empty(), "two replies prepared at once");
                assert!(self.preparing.insert(turn));
                assert!(!self.turns.contains(&turn), "{turn} is not fresh");
                self.turns.push(turn);
            }
            Command::AskWhetherFinished { segment, sound } => {
                assert!(
                    self.plan.adaptive_wait.is_some(),
                    "a fixed wait needs no opinion"
                );
                assert!(!self.open.contains(&segment), "asked before the pause");
                assert!(self.asked.insert(segment), "asked twice about {segment}");
                assert!(sound > Duration::ZERO);
            }
            Command::StartReply { turn, waited, .. } => {
                self.end_preparation(turn);
                if let Some(waited) = waited {
                    assert!(waited >= self.shortest_wait(), "waited for {waited:?} only");
                }
                let speaking = !self.open.is_empty() && !self.wordless && !self.has_typed;
                assert!(!speaking, "the reply starts while the caller speaks");
                self.has_typed = false;
            }
            Command::DiscardReply { turn } => self.end_preparation(turn),
            Command::SayFallback { reason } => match reason {
                Fallback::ReplyLate { turn } | Fallback::ReplyFailed { turn } => {
                    self.end_preparation(turn);
                    self.is_paused = false;
                }
                Fallback::PlayoutLate => self.is_paused = false,
            },
            Command::PausePlayout => {
                assert!(!self.is_paused);
                self.is_paused = true;
            }
            Command::ResumePlayout => {
                assert!(self.is_paused);
                self.is_paused = false;
            }
            Command::StopPlayout => self.is_paused = false,
            Command::CallerStarted => {
                assert!(!self.caller_speaks);
                self.caller_speaks = true;
            }
            Command::CallerStopped => {
                assert!(self.caller_speaks);
                self.caller_speaks = false;
            }
            Command::CheckIn => assert!(self.preparing.is_empty()),
            Command::RefuseTyped => {}
            Command::End { .. } => {
                self.ended = true;
                assert!(self.open.is_empty() && self.preparing.is_empty());
                assert!(!self.caller_speaks);
            }
        }
    }

    fn shortest_wait(&self) -> Duration {
        match &self.plan.adaptive_wait {
            Some(adaptive) => adaptive.least,
            None => self.plan.start_wait,
        }
    }

    fn end_preparation(&mut self, turn: TurnId) {
        assert!(self.preparing.remove(&turn), "{turn} ended twice");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// No panic, a deadline at every moment and never far off, preparations and segments and
    /// utterances ended exactly once, and no reply over a caller who speaks.
    #[test]
    fn whatever_happens_the_floor_keeps_its_promises(
        plan in plan(),
        steps in vec(step(), 0..120),
        last in last_step(),
    ) {
        let mut watched = Watched::new(plan);
        for step in steps {
            // A playout that ends by itself is no longer paused.
            if matches!(step, Step::Other(Event::PlayoutFinished)) {
                watched.is_paused = false;
            }
            watched.take(step);
        }
        if let Some(event) = last {
            watched.feed(event);
        }
        // Left alone, with a caller who says no more and no help at hand, every call comes to its end.
        watched.feed(Event::HelpAtHand(false));
        watched.wait(Duration::from_secs(700));
        prop_assert!(watched.ended);
    }

    /// Whatever pauses sound like and whenever that is known: nobody is answered before the least
    /// wait, everybody is answered, and all of what they said.
    #[test]
    fn a_wait_that_fits_the_speaker_is_never_too_short_and_loses_nothing(
        (adaptive, fixed) in (adaptive_wait(), 0..4000_u64),
        spans in vec((8..200_u64, 8..300_u64), 1..6),
        said in vec(words(), 6),
        opinions in vec(opinion(), 12),
        (heard_in, judged_in, prepared_in) in (20..600_u64, 20..1500_u64, 20..1500_u64),
    ) {
        let shortest = adaptive.as_ref().map_or(ms(fixed), |adaptive| adaptive.least);
        let plan = Plan { start_wait: ms(fixed), adaptive_wait: adaptive, ..quiet_plan() };
        let mut scene = Scene::with_plan(plan)
            .transcripts_take(heard_in)
            .opinions_take(judged_in)
            .replies(Preparation::Takes(prepared_in))
            .replies_last(800);
        for (nth, opinion) in opinions.into_iter().enumerate() {
            scene = scene.pause_sounds(nth as u64 + 1, opinion);
        }
        let mut now = 1600;
        for ((speech, pause), words) in spans.into_iter().zip(said) {
            let until = now + 16 * speech;
            scene = match words.is_empty() {
                true => scene.caller_sounds(now, until),
                false => scene.caller_says(now, until, words),
            };
            now = until + 16 * pause;
        }
        let call = scene.until(now + 12_000);
        for (at, command) in &call.commands {
            if let Command::StartReply { waited, .. } = command {
                let waited = waited.expect("nobody typed");
                prop_assert!(waited >= shortest, "{waited:?} at {at}");
            }
        }
        let left = call.floor.unanswered_words();
        prop_assert!(left.expose_secret().is_empty(), "unanswered");
    }

    /// With a caller who keeps making sound too.
    #[test]
    fn every_call_ends_by_its_longest_duration(voiced in vec(any::<bool>(), 1..40)) {
        let mut watched = Watched::new(Plan { max_duration: ms(60_000), ..Plan::default() });
        for voiced in voiced.iter().cycle().take(4000) {
            watched.take(Step::Frames { voiced: *voiced, count: 1 });
        }
        prop_assert!(watched.now > ms(63_000) && watched.ended);
    }
}
