//! A conversation for tests: say a line, look at what came back.

#![allow(dead_code)]

use std::{
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
    time::Duration,
};

use flow::{
    Agency, AssistantScript, CaseNote, Command, Conversation, EndReason, Event, Secret, Setup,
    TransferMode,
};
use reader::Reader;
use reader::trained::Files;

/// One reader for all tests of a program, as in the server.
pub static READER: LazyLock<Reader> = LazyLock::new(Reader::rules_alone);

/// Both readers, as they ship.
pub static WHOLE: LazyLock<Reader> = LazyLock::new(|| {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let engine = std::env::var_os("NIGHTLIGHT_ENGINE_DIR").map(PathBuf::from);
    let engine = engine.unwrap_or_else(|| checkout.join("var/engine"));
    let files = Files::new(&checkout.join("crates/reader/weights"), &engine);
    Reader::open(&files).expect("the weights are whole")
});

pub struct Talk {
    reader: &'static Reader,
    pub conversation: Conversation,
    turns: Vec<String>,
    transfers: Vec<(TransferMode, Agency)>,
    looked_up: usize,
    ended: Option<EndReason>,
}

/// Says every line and checks that each expected piece was heard, in order; hands back the talk.
pub fn check(lines: &[&str], expected: &[&str]) -> Talk {
    let talk = Talk::after(lines);
    let all = talk.all();
    let mut rest = all.as_str();
    for piece in expected {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => panic!("{piece:?} was not heard in its place:\n{all}"),
        }
    }
    talk
}

impl Talk {
    /// After the greeting. A Friday, ten past eleven at night.
    pub fn start() -> Self {
        Self::read_by(&READER)
    }

    pub fn read_by(reader: &'static Reader) -> Self {
        let conversation = Conversation::new(setup());
        let mut talk = Self {
            reader,
            conversation,
            turns: Vec::new(),
            transfers: Vec::new(),
            looked_up: 0,
            ended: None,
        };
        talk.event(Event::CallStarted);
        talk
    }

    pub fn after(lines: &[&str]) -> Self {
        let mut talk = Self::start();
        talk.say_all(lines);
        talk
    }

    pub fn say(&mut self, words: &str) {
        let words = Secret::new(words.to_owned());
        self.reader
            .tell(&mut self.conversation, &words, Duration::ZERO);
        self.take_commands();
    }

    pub fn say_all(&mut self, lines: &[&str]) {
        for line in lines {
            self.say(line);
        }
    }

    pub fn event(&mut self, event: Event) {
        self.conversation.handle(event, Duration::ZERO);
        self.take_commands();
    }

    fn take_commands(&mut self) {
        let mut turn = Vec::new();
        while let Some(command) = self.conversation.poll_command() {
            match command {
                Command::Say { sentence } => turn.push(sentence.expose_secret().clone()),
                Command::Transfer { mode, agency } => self.transfers.push((mode, agency)),
                Command::LookedUp { .. } => self.looked_up += 1,
                Command::End { reason } => self.ended = Some(reason),
            }
        }
        self.turns.push(turn.join(" "));
    }

    /// What the assistant said last.
    pub fn last(&self) -> String {
        self.turns.last().cloned().unwrap_or_default()
    }

    pub fn all(&self) -> String {
        self.turns.join("\n")
    }

    pub fn note(&self) -> CaseNote {
        self.conversation.note()
    }

    #[track_caller]
    pub fn transferred(&self, mode: TransferMode, agency: Agency) -> &Self {
        assert_eq!(
            self.transfers.last(),
            Some(&(mode, agency)),
            "{}",
            self.all()
        );
        self
    }

    #[track_caller]
    pub fn not_transferred(&self) -> &Self {
        assert_eq!(self.transfers, [], "{}", self.all());
        self
    }

    #[track_caller]
    pub fn ended(&self, reason: EndReason) -> &Self {
        assert_eq!(self.ended, Some(reason), "{}", self.all());
        self
    }

    #[track_caller]
    pub fn looked_up(&self) -> &Self {
        assert!(self.looked_up > 0, "{}", self.all());
        self
    }
}

/// What is said and done, as lines.
pub fn polled(conversation: &mut Conversation) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(command) = conversation.poll_command() {
        lines.push(match command {
            Command::Say { sentence } => sentence.expose_secret().clone(),
            Command::Transfer { agency, .. } => format!("-> {agency}"),
            Command::LookedUp { .. } => "looked up".to_owned(),
            Command::End { .. } => "end".to_owned(),
        });
    }
    lines
}

pub fn setup() -> Setup {
    Setup {
        called_at: "2026-11-20T23:10:00".parse().expect("a constant"),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    }
}
