//! A call in virtual time: a caller and an assistant by the clock, a transcriber that hears the
//! words that fall into a segment, and a record of every command with its time.
//!
//! Times are milliseconds from the start of the call. A detector frame ends at each multiple of 16,
//! so speech between multiples of 16 is heard to the frame.

use std::collections::BTreeMap;
use std::time::Duration;

use redact::Secret;
use turn::{AdaptiveWait, Command, Ended, Event, Floor, Opinion, Plan, SegmentId, TurnId};

const FRAME: u64 = 16;

/// The longest that a live call may go without anything being due: the silence of a muted caller.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The plan of the product, without a greeting so that scenes start in silence.
pub fn quiet_plan() -> Plan {
    Plan {
        assistant_speaks_first: false,
        ..Plan::default()
    }
}

/// The same with a wait that fits the speaker: 0.6 s, 2.5 s, and 3 s without an opinion.
pub fn adaptive_plan() -> Plan {
    Plan {
        adaptive_wait: Some(AdaptiveWait::default()),
        ..quiet_plan()
    }
}

pub fn finished() -> Option<Opinion> {
    Some(Opinion {
        finished: 0.95,
        hushed: false,
    })
}

pub fn unfinished() -> Option<Opinion> {
    Some(Opinion {
        finished: 0.05,
        hushed: false,
    })
}

pub struct Scene {
    plan: Plan,
    voice: Vec<(u64, u64)>,
    words: Vec<Word>,
    scheduled: BTreeMap<(u64, u64), Happening>,
    sequence: u64,
    transcripts: BTreeMap<u64, Transcription>,
    transcript_takes: u64,
    opinions: BTreeMap<u64, Option<Opinion>>,
    opinion_takes: u64,
    reply: Preparation,
    reply_lasts: u64,
    starts_playing: bool,
    finishes_playing: bool,
    frames_stop_at: u64,
}

struct Word {
    from: u64,
    to: u64,
    word: String,
}

#[derive(Debug, Clone)]
enum Happening {
    Event(Event),
    AssistantSpeaks { lasts: u64 },
    PlayoutFinished { playout: u64 },
}

#[derive(Debug, Clone, Copy)]
enum Transcription {
    Takes(u64),
    HasNoWord,
    Fails,
    Never,
}

#[derive(Debug, Clone, Copy)]
pub enum Preparation {
    Takes(u64),
    Fails,
    Never,
}

impl Scene {
    /// Nobody has spoken yet.
    pub fn new() -> Self {
        Self::with_plan(quiet_plan())
    }

    pub fn with_plan(plan: Plan) -> Self {
        Self {
            plan,
            voice: Vec::new(),
            words: Vec::new(),
            scheduled: BTreeMap::new(),
            sequence: 0,
            transcripts: BTreeMap::new(),
            transcript_takes: 80,
            opinions: BTreeMap::new(),
            opinion_takes: 60,
            reply: Preparation::Takes(200),
            reply_lasts: 3000,
            starts_playing: true,
            finishes_playing: true,
            frames_stop_at: u64::MAX,
        }
    }

    /// The caller says words, evenly spread over the time.
    pub fn caller_says(mut self, from: u64, to: u64, words: &str) -> Self {
        let words: Vec<_> = words.split_whitespace().collect();
        let each = (to - from) / words.len() as u64;
        for (n, word) in words.iter().enumerate() {
            let from = from + n as u64 * each;
            let word = (*word).to_owned();
            let to = from + each;
            self.words.push(Word { from, to, word });
        }
        self.caller_sounds(from, to)
    }

    /// Sound that the detector takes for voice and the transcriber hears no word in.
    pub fn caller_sounds(mut self, from: u64, to: u64) -> Self {
        self.voice.push((from, to));
        self
    }

    /// The assistant says something that the floor did not ask for.
    pub fn assistant_speaks(mut self, from: u64, to: u64) -> Self {
        self.schedule(from, Happening::AssistantSpeaks { lasts: to - from });
        self
    }

    pub fn at(mut self, at: u64, event: Event) -> Self {
        self.schedule(at, Happening::Event(event));
        self
    }

    pub fn caller_types(self, at: u64, words: &str) -> Self {
        let words = Secret::from(words);
        self.at(at, Event::CallerTyped { words })
    }

    pub fn transcripts_take(mut self, takes: u64) -> Self {
        self.transcript_takes = takes;
        self
    }

    /// The nth segment's final transcript (from 1) takes this long.
    pub fn transcript_takes(mut self, segment: u64, takes: u64) -> Self {
        self.transcripts
            .insert(segment, Transcription::Takes(takes));
        self
    }

    pub fn transcript_has_no_word(mut self, segment: u64) -> Self {
        self.transcripts.insert(segment, Transcription::HasNoWord);
        self
    }

    pub fn transcript_fails(mut self, segment: u64) -> Self {
        self.transcripts.insert(segment, Transcription::Fails);
        self
    }

    pub fn transcript_never_comes(mut self, segment: u64) -> Self {
        self.transcripts.insert(segment, Transcription::Never);
        self
    }

    /// What the pause after the nth segment (from 1) sounds like; nothing is answered for others.
    pub fn pause_sounds(mut self, segment: u64, opinion: Option<Opinion>) -> Self {
        self.opinions.insert(segment, opinion);
        self
    }

    pub fn opinions_take(mut self, takes: u64) -> Self {
        self.opinion_takes = takes;
        self
    }

    pub fn replies(mut self, reply: Preparation) -> Self {
        self.reply = reply;
        self
    }

    /// How long everything lasts that the assistant says at the floor's command.
    pub fn replies_last(mut self, lasts: u64) -> Self {
        self.reply_lasts = lasts;
        self
    }

    pub fn nothing_starts_playing(mut self) -> Self {
        self.starts_playing = false;
        self
    }

    pub fn nothing_finishes_playing(mut self) -> Self {
        self.finishes_playing = false;
        self
    }

    pub fn frames_stop(mut self, at: u64) -> Self {
        self.frames_stop_at = at;
        self
    }

    fn schedule(&mut self, at: u64, happening: Happening) {
        self.sequence += 1;
        self.scheduled.insert((at, self.sequence), happening);
    }

    pub fn until(self, end: u64) -> Recording {
        Run::new(self).until(end)
    }
}

/// What the floor did, and when.
pub struct Recording {
    pub commands: Vec<(u64, Command)>,
    pub floor: Floor,
}

impl Recording {
    /// When commands of this name were given.
    pub fn times(&self, name: &str) -> Vec<u64> {
        let named = self.commands.iter().filter(|(_, c)| name_of(c) == name);
        named.map(|(at, _)| *at).collect()
    }

    /// The words of each preparation.
    pub fn prepared(&self) -> Vec<(u64, String)> {
        let words = |(at, command): &(u64, Command)| match command {
            Command::PrepareReply { words, .. } => Some((*at, words.expose_secret().clone())),
            _ => None,
        };
        self.commands.iter().filter_map(words).collect()
    }

    /// The words that each reply that started is to.
    pub fn answered(&self) -> Vec<(u64, String)> {
        let started = |(at, command): &(u64, Command)| match command {
            Command::StartReply { turn, .. } => Some((*at, self.words_of(*turn))),
            _ => None,
        };
        self.commands.iter().filter_map(started).collect()
    }

    pub fn answered_words(&self) -> Vec<String> {
        self.answered()
            .into_iter()
            .map(|(_, words)| words)
            .collect()
    }

    pub fn ended(&self) -> Option<(u64, Ended)> {
        self.commands
            .iter()
            .find_map(|(at, command)| match command {
                Command::End { reason } => Some((*at, *reason)),
                _ => None,
            })
    }

    fn words_of(&self, wanted: TurnId) -> String {
        let words = |(_, command): &(u64, Command)| match command {
            Command::PrepareReply { turn, words } if *turn == wanted => {
                Some(words.expose_secret().clone())
            }
            _ => None,
        };
        let words = self.commands.iter().find_map(words);
        words.expect("a reply is prepared before it starts")
    }

    /// The names of all commands but those about segments and speech updates.
    pub fn story(&self) -> Vec<String> {
        let told = |name: &str| {
            !name.contains("Segment") && !name.starts_with("Caller") && !name.starts_with("Ask")
        };
        let names = self.commands.iter().map(|(at, c)| (at, name_of(c)));
        names
            .filter(|(_, name)| told(name) && *name != "TranscribeSoFar")
            .map(|(at, name)| format!("{at} {name}"))
            .collect()
    }
}

pub fn name_of(command: &Command) -> &'static str {
    match command {
        Command::OpenSegment { .. } => "OpenSegment",
        Command::CloseSegment { .. } => "CloseSegment",
        Command::TranscribeSoFar { .. } => "TranscribeSoFar",
        Command::DropSegment { .. } => "DropSegment",
        Command::AskWhetherFinished { .. } => "AskWhetherFinished",
        Command::PrepareReply { .. } => "PrepareReply",
        Command::DiscardReply { .. } => "DiscardReply",
        Command::StartReply { .. } => "StartReply",
        Command::PausePlayout => "PausePlayout",
        Command::ResumePlayout => "ResumePlayout",
        Command::StopPlayout => "StopPlayout",
        Command::CheckIn => "CheckIn",
        Command::SayFallback { .. } => "SayFallback",
        Command::End { .. } => "End",
        Command::CallerStarted => "CallerStarted",
        Command::CallerStopped => "CallerStopped",
        Command::RefuseTyped => "RefuseTyped",
    }
}

/// The scene being played.
struct Run {
    scene: Scene,
    floor: Floor,
    now: u64,
    commands: Vec<(u64, Command)>,
    /// Where each segment's audio begins.
    segments: BTreeMap<SegmentId, u64>,
    playout: u64,
    /// What is left of the playout that is held.
    held: Option<u64>,
}

impl Run {
    fn new(scene: Scene) -> Self {
        Self {
            floor: Floor::new(scene.plan.clone()),
            scene,
            now: 0,
            commands: Vec::new(),
            segments: BTreeMap::new(),
            playout: 0,
            held: None,
        }
    }

    fn until(mut self, end: u64) -> Recording {
        let greets = self.scene.plan.assistant_speaks_first;
        self.feed(Event::CallConnected);
        if greets {
            self.play(self.scene.reply_lasts);
        }
        let mut next_frame = FRAME;
        while !self.floor.has_ended() {
            let scheduled = self.scene.scheduled.keys().next().map(|(at, _)| *at);
            let (deadline, _) = self
                .floor
                .poll_deadline()
                .expect("a live call has a deadline");
            let deadline = millis(deadline);
            let scheduled_at = scheduled.unwrap_or(u64::MAX);
            self.now = next_frame.min(scheduled_at).min(deadline);
            if self.now > end {
                break;
            }
            if self.now == scheduled_at {
                let ((_, _), happening) =
                    self.scene.scheduled.pop_first().expect("it was just seen");
                self.happen(happening);
            } else if self.now == next_frame {
                next_frame += FRAME;
                if self.now <= self.scene.frames_stop_at {
                    let voiced = self.is_voiced();
                    self.feed(Event::VoiceFrame { voiced });
                }
            } else {
                self.floor.handle_deadline(ms(self.now));
                self.obey();
            }
        }
        Recording {
            commands: self.commands,
            floor: self.floor,
        }
    }

    fn is_voiced(&self) -> bool {
        let mut voice = self.scene.voice.iter();
        voice.any(|(from, to)| *from + FRAME <= self.now && self.now <= *to)
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Event(event) => self.feed(event),
            Happening::AssistantSpeaks { lasts } => {
                self.feed(Event::AssistantTold);
                self.play(lasts);
            }
            Happening::PlayoutFinished { playout } => {
                if playout == self.playout && self.scene.finishes_playing {
                    self.feed(Event::PlayoutFinished);
                }
            }
        }
    }

    fn feed(&mut self, event: Event) {
        self.floor.handle(event, ms(self.now));
        self.obey();
    }

    fn obey(&mut self) {
        while let Some(command) = self.floor.poll_command() {
            self.carry_out(&command);
            self.commands.push((self.now, command));
        }
        if !self.floor.has_ended() {
            let (at, why) = self
                .floor
                .poll_deadline()
                .expect("a live call has a deadline");
            assert!(at > ms(self.now), "{why:?} has passed and was not acted on");
            assert!(at <= ms(self.now) + LONGEST_WAIT, "{why:?} is too far off");
        }
    }

    fn carry_out(&mut self, command: &Command) {
        match command {
            Command::OpenSegment { segment, pre_roll } => {
                let from = self.now - millis(*pre_roll);
                self.segments.insert(*segment, from);
            }
            Command::CloseSegment { segment } => self.transcribe(*segment, true),
            Command::TranscribeSoFar { segment } => self.transcribe(*segment, false),
            Command::AskWhetherFinished { segment, .. } => {
                let segment = *segment;
                if let Some(opinion) = self.scene.opinions.get(&segment.0).copied() {
                    let given = Event::OpinionGiven { segment, opinion };
                    let at = self.now + self.scene.opinion_takes;
                    self.scene.schedule(at, Happening::Event(given));
                }
            }
            Command::PrepareReply { turn, .. } => {
                let turn = *turn;
                let (takes, event) = match self.scene.reply {
                    Preparation::Takes(takes) => (takes, Event::ReplyPrepared { turn }),
                    Preparation::Fails => (50, Event::ReplyFailed { turn }),
                    Preparation::Never => return,
                };
                self.scene
                    .schedule(self.now + takes, Happening::Event(event));
            }
            Command::StartReply { .. } | Command::CheckIn | Command::SayFallback { .. } => {
                self.play(self.scene.reply_lasts);
            }
            Command::PausePlayout => self.hold(),
            Command::ResumePlayout => {
                let left = self.held.take().expect("only a held playout is resumed");
                self.finish_after(left);
            }
            Command::StopPlayout => {
                self.playout += 1;
                self.held = None;
            }
            _ => {}
        }
    }

    fn play(&mut self, lasts: u64) {
        self.playout += 1;
        self.held = None;
        if self.scene.starts_playing {
            let started = Happening::Event(Event::PlayoutStarted);
            self.scene.schedule(self.now, started);
            self.finish_after(lasts);
        }
    }

    fn finish_after(&mut self, lasts: u64) {
        let playout = self.playout;
        let finished = Happening::PlayoutFinished { playout };
        self.scene.schedule(self.now + lasts, finished);
    }

    fn hold(&mut self) {
        let current = self.playout;
        let finish = |happening: &Happening| matches!(happening, Happening::PlayoutFinished { playout } if *playout == current);
        let mut waiting = self.scene.scheduled.iter();
        let (key, _) = waiting
            .find(|(_, happening)| finish(happening))
            .expect("only what is being played is held");
        let key = *key;
        self.scene.scheduled.remove(&key);
        self.held = Some(key.0 - self.now);
    }

    fn transcribe(&mut self, segment: SegmentId, is_final: bool) {
        let from = self.segments[&segment];
        let heard = self.scene.words.iter().filter(|word| {
            let middle = (word.from + word.to) / 2;
            from <= middle && middle <= self.now && (is_final || word.to <= self.now)
        });
        let words: Vec<_> = heard.map(|word| word.word.as_str()).collect();
        let words = Secret::new(words.join(" "));
        let takes = Transcription::Takes(self.scene.transcript_takes);
        let scripted = self.scene.transcripts.get(&segment.0).filter(|_| is_final);
        let (takes, event) = match scripted.copied().unwrap_or(takes) {
            Transcription::Takes(takes) => {
                let event = Event::Transcribed {
                    segment,
                    words,
                    is_final,
                };
                (takes, event)
            }
            Transcription::HasNoWord => {
                let words = Secret::default();
                let event = Event::Transcribed {
                    segment,
                    words,
                    is_final,
                };
                (80, event)
            }
            Transcription::Fails => (80, Event::TranscriptionFailed { segment }),
            Transcription::Never => return,
        };
        self.scene
            .schedule(self.now + takes, Happening::Event(event));
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("a call is short")
}
