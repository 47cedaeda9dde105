//! One call's conversation: events in, commands out.

mod beside;
mod returned;

use std::{collections::VecDeque, ops::Range, sync::Arc, time::Duration};

use redact::Secret;
use serde::{Deserialize, Serialize};

use crate::{
    Agency, AssistantScript, Brief, CaseNote, EndReason, Hint, Step, Suggestion, ToldSentence,
    TransferMode, Unfit, held,
    machine::{Machine, Move, State},
    note,
    reading::{Listening, Reading},
    step,
    wording::{self, Spoken, Told},
};

/// What a conversation needs to know before it starts.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Singapore's local time when the call started; "last night" is resolved against it.
    pub called_at: jiff::civil::DateTime,
    pub assistant: Arc<AssistantScript>,
    pub medium: Medium,
}

/// How the two converse. What is said is the same; a few sentences speak of the line or of sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    Speech,
    Writing,
}

/// What happened in the call.
#[derive(Debug, Clone)]
pub enum Event {
    /// The line is open: the assistant speaks first.
    CallStarted,
    /// The line is open, and the caller is to speak first. They are greeted with the first reply, or when they say nothing.
    CallerToSpeakFirst,
    /// One whole caller turn, as it was read for what [`Conversation::listening`] said.
    CallerSaid { reading: Box<Reading> },
    /// The sound of speech, in which no words were found.
    CallerNotUnderstood,
    /// The caller has been silent so long that a check-in is due.
    CallerSilent,
    /// The line was cut off, and the caller is back on it.
    CallerReturned,
    /// After the words of a warm transfer: duty officers are being rung, and the conversation, which had ended for the
    /// transfer, goes on. This and the six below are harmless in any other state than theirs.
    OfficersRung,
    /// They are still being rung: it is time to say how it goes.
    StillRinging,
    /// A duty officer has taken the call, and can hear the caller.
    OfficerJoined,
    /// The duty officer who is with the caller has put them on hold: the assistant has them meanwhile.
    PutOnHold,
    /// They are on hold still: it is time to say so.
    StillOnHold,
    /// They and the duty officer hear each other again.
    TakenOffHold,
    /// No duty officer is with the caller, or none is any more: the assistant is.
    OfficerUnreached { why: Unreached },
    /// A supervisor at the desk whispers this to the assistant, to be taken up in its next turn.
    Hinted { hint: Hint },
    /// The call is over, whoever ended it.
    CallEnded { reason: EndReason },
}

/// Why no duty officer is with a caller who was being connected to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unreached {
    /// Nobody answered within the time.
    NobodyAnswered,
    AllDeclined,
    /// Somebody accepted and was gone before they joined, and nobody else came.
    AcceptedInVain,
    /// The line of the officer who had taken the call was lost.
    LineDropped,
}

/// What the conversation wants done.
#[derive(Debug, Clone)]
pub enum Command {
    /// Say one sentence, after those before it.
    Say { sentence: Secret<String> },
    /// Hand the caller on, after what was said before it.
    Transfer { mode: TransferMode, agency: Agency },
    /// The `product_query` look-up was run. The query is the conversation's own, never the caller's
    /// words.
    LookedUp { query: String },
    /// End the call, after what was said before it.
    End { reason: EndReason },
}

/// One call's conversation. Cheap to clone; its `Debug` shows no words.
#[derive(Clone)]
pub struct Conversation {
    setup: Setup,
    state: State,
    commands: VecDeque<Command>,
    /// For the next caller turn.
    suggestions: Vec<Suggestion>,
    /// The turn just handled, as far as it may be said in other words. Not saved.
    turn: Option<Turn>,
    /// What it wants said is a reply to what the caller said. Not saved.
    replies: bool,
}

/// What was decided in a turn, before anything of it is polled.
#[derive(Clone)]
struct Turn {
    moves: Vec<Move>,
    /// Each sentence, and whether it may be said in other words.
    sentences: Vec<(String, bool)>,
    /// What the assistant said in its turn before.
    last: Vec<String>,
}

/// A saved conversation could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a saved conversation of this version: start a new one")]
pub struct RestoreError;

/// The saved form. A version that is not [`VERSION`] is not read.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    version: u32,
    state: S,
}

const VERSION: u32 = 1;

impl Conversation {
    /// A conversation that has not begun: give it [`Event::CallStarted`].
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            state: State::default(),
            commands: VecDeque::new(),
            suggestions: Vec::new(),
            turn: None,
            replies: false,
        }
    }

    /// The case note so far; at any time, also mid-call. It does not panic: where the note cannot be written, one comes that
    /// asks a person to read the call first.
    pub fn note(&self) -> CaseNote {
        note::or_for_a_person(&self.state, || note::write(&self.state))
    }

    /// Whether the conversation has ended and will say nothing more.
    pub fn has_ended(&self) -> bool {
        self.state.ended.is_some()
    }

    /// Duty officers are being rung for the caller.
    pub fn is_connecting(&self) -> bool {
        self.state.is_connecting()
    }

    /// A duty officer and the caller are talking; the assistant only takes in what is said, unless the caller is on hold.
    pub fn is_with_officer(&self) -> bool {
        self.state.is_with_officer()
    }

    /// The duty officer has put the caller on hold: the assistant answers them.
    pub fn is_on_hold(&self) -> bool {
        self.state.is_on_hold()
    }

    /// Where it is, for whoever watches it.
    pub fn step(&self) -> Step {
        step::of(&self.state)
    }

    /// One sentence about the caller for the duty officer who has taken the call, before the two are put through:
    /// what the caller told, and where the call is going.
    pub fn briefing(&self) -> Secret<String> {
        note::briefing(&self.state, &self.setup.assistant.directory)
    }

    /// Why it has ended, once it has.
    pub fn end_reason(&self) -> Option<EndReason> {
        self.state.ended
    }

    /// The state as JSON, for [`Conversation::restore`]. It holds the caller's words. Commands not
    /// yet polled are not in it: save between turns.
    pub fn save(&self) -> Secret<String> {
        let saved = Saved {
            version: VERSION,
            state: &self.state,
        };
        Secret::new(serde_json::to_string(&saved).expect("the state holds only plain data"))
    }

    /// A conversation that goes on where the saved one was.
    pub fn restore(setup: Setup, saved: &str) -> Result<Self, RestoreError> {
        let saved: Saved<State> = serde_json::from_str(saved).map_err(|_| RestoreError)?;
        if saved.version != VERSION {
            return Err(RestoreError);
        }
        Ok(Self {
            setup,
            state: saved.state,
            commands: VecDeque::new(),
            suggestions: Vec::new(),
            turn: None,
            replies: false,
        })
    }

    /// What a reader has to know to read the caller's next turn.
    pub fn listening(&self) -> Listening {
        Listening {
            called_at: self.setup.called_at,
            question: self.state.pending,
            person: self.state.person.clone(),
            turns: self.state.turns,
            so_far: self.state.so_far.clone(),
        }
    }

    /// Something happened, at this offset from the call's start. The offset is not yet used: what
    /// is said does not depend on how long it took.
    pub fn handle(&mut self, event: Event, _now: Duration) {
        if let Event::CallEnded { reason } = event {
            let hung_up = matches!(reason, EndReason::CallerEnded | EndReason::AssistantEnded);
            let reason = match hung_up && self.is_with_officer() {
                true => EndReason::Forwarded,
                false => reason,
            };
            self.state.ended.get_or_insert(reason);
            self.commands.clear();
            return;
        }
        if let Event::OfficersRung = event {
            self.state.begin_hand_over();
            return;
        }
        if let Event::Hinted { hint } = event {
            return self.state.take_hint(hint);
        }
        if let Event::CallerReturned = event {
            self.take_up_again();
            return;
        }
        if self.state.ended.is_some() {
            return;
        }
        self.replies = matches!(event, Event::CallerSaid { .. });
        let last = self.state.wording.last().to_vec();
        let suggestions = std::mem::take(&mut self.suggestions);
        let mut machine = Machine {
            state: &mut self.state,
            suggestions: &suggestions,
            knowledge: &self.setup.assistant.knowledge,
            program: &self.setup.assistant.program,
            moves: Vec::new(),
        };
        match event {
            Event::CallStarted => machine.call_started(),
            Event::CallerToSpeakFirst => machine.caller_to_speak_first(),
            Event::CallerSaid { reading } => machine.caller_said(*reading),
            Event::CallerNotUnderstood => machine.not_understood(),
            Event::CallerSilent => machine.caller_silent(),
            Event::StillRinging => machine.still_ringing(),
            Event::OfficerJoined => machine.officer_joined(),
            Event::PutOnHold => machine.put_on_hold(),
            Event::StillOnHold => machine.still_on_hold(),
            Event::TakenOffHold => machine.taken_off_hold(),
            Event::OfficerUnreached { why } => machine.officer_unreached(why),
            Event::OfficersRung
            | Event::CallerReturned
            | Event::Hinted { .. }
            | Event::CallEnded { .. } => {}
        }
        let moves = machine.moves;
        if moves.is_empty() {
            // Nothing is said; what was said last stays the last.
            self.turn = None;
            return;
        }
        let spoken = self.word(&moves);
        self.turn = Some(Turn {
            moves,
            sentences: spoken.iter().filter_map(Spoken::sentence).collect(),
            last,
        });
        self.commands
            .extend(spoken.into_iter().map(|spoken| match spoken {
                Spoken::Sentence { text, .. } => Command::Say {
                    sentence: Secret::new(text),
                },
                Spoken::LookUp(query) => Command::LookedUp { query },
                Spoken::Transfer(mode, agency) => Command::Transfer { mode, agency },
                Spoken::EndAfterTransfer => Command::End {
                    reason: EndReason::Forwarded,
                },
                Spoken::End => Command::End {
                    reason: EndReason::AssistantEnded,
                },
            }));
    }

    fn word(&mut self, moves: &[Move]) -> Vec<Spoken> {
        wording::word(
            moves,
            self.state.route.map(|route| route.agency),
            &told(&self.state),
            self.setup.medium,
            &self.setup.assistant,
            &mut self.state.wording,
        )
    }

    /// Signals that were heard elsewhere in the words of the next caller turn. Those that hold are
    /// added to what is read in it; nothing is ever taken away by them.
    pub fn suggest(&mut self, suggestions: Vec<Suggestion>) {
        self.suggestions = suggestions;
    }

    /// The danger is known and help is being brought in, or the conversation is over: nothing that
    /// others could add is waited for.
    pub fn help_is_under_way(&self) -> bool {
        let warm = |route: crate::machine::Route| route.mode == TransferMode::Warm;
        self.state.ended.is_some() || self.state.route.is_some_and(warm)
    }

    /// Danger now is being made sure of or acted on, or was and help was called for, whether it came or not: the caller is
    /// to be heard before others.
    pub fn stands_in_danger(&self) -> bool {
        let transfers = &self.state.transfers;
        self.state.acts_on_danger()
            || transfers
                .iter()
                .any(|transfer| transfer.mode == TransferMode::Warm)
    }

    /// Whether the other decided the same in its last turn.
    pub fn decided_as(&self, other: &Self) -> bool {
        let moves = |conversation: &Self| conversation.turn.as_ref().map(|turn| turn.moves.clone());
        moves(self) == moves(other)
    }

    /// What the last turn leaves open to be said in other words; `None` if nothing. Before its
    /// commands are polled.
    pub fn brief(&self) -> Option<Brief> {
        let turn = self.turn.as_ref()?;
        let those = |open: bool| -> Vec<Secret<String>> {
            let those = turn
                .sentences
                .iter()
                .filter(|(_, is_open)| *is_open == open);
            those.map(|(text, _)| Secret::new(text.clone())).collect()
        };
        let open = those(true);
        (!open.is_empty()).then(|| Brief {
            open,
            fixed: those(false),
            may_ask: turn.moves.iter().any(wording::asks_openly),
        })
    }

    /// Says the open part of the last turn in these words instead, if they fit. They may rest on
    /// what the caller has said and on what was looked up for them, and on nothing else. Before the
    /// turn's commands are polled.
    pub fn reword(&mut self, text: &str, said: &[&str], looked_up: &[&str]) -> Result<(), Unfit> {
        let brief = self.brief().ok_or(Unfit::OutOfPlace)?;
        let turn = self.turn.as_ref().ok_or(Unfit::OutOfPlace)?;
        let fixed: Vec<&str> = brief
            .fixed
            .iter()
            .map(|one| one.expose_secret().as_str())
            .collect();
        let templates = turn.sentences.iter().map(|(text, _)| text.as_str());
        let known: Vec<&str> = looked_up.iter().copied().chain(templates).collect();
        let mut words = held::hold(
            text,
            &held::Bounds {
                may_ask: brief.may_ask,
                said,
                known: &known,
                last: &turn.last,
                fixed: &fixed,
            },
        )?;
        let asks = words.last().is_some_and(|last| last.ends_with('?'));
        if brief.may_ask && !asks {
            // The turn asks on, one way or the other.
            let question = brief
                .open
                .iter()
                .rfind(|one| one.expose_secret().ends_with('?'));
            words.extend(question.map(|one| one.expose_secret().clone()));
        }
        let open: Vec<bool> = turn.sentences.iter().map(|(_, open)| *open).collect();
        self.say_instead(&open, words);
        Ok(())
    }

    /// Whether the last turn answers a question of the caller's own from the knowledge base, or says that it does not know:
    /// whoever knows more may answer instead. Never in danger, and never of consent or of whom to ring. Before its commands
    /// are polled.
    pub fn answers_a_question(&self) -> bool {
        self.answer().is_some()
    }

    /// Answers that question in these words instead, if they fit: they are what was looked up elsewhere, and are held to
    /// what an assistant may say.
    pub fn answer_instead(&mut self, text: &str, said: &[&str]) -> Result<(), Unfit> {
        let place = self.answer().ok_or(Unfit::OutOfPlace)?;
        let turn = self.turn.as_ref().ok_or(Unfit::OutOfPlace)?;
        let commands = self.commands.iter().enumerate();
        let fixed: Vec<&str> = commands
            .filter(|(at, _)| !place.contains(at))
            .filter_map(|(_, command)| said_by(command))
            .collect();
        let words = held::hold(
            text,
            &held::Bounds {
                may_ask: false,
                said,
                known: &[text],
                last: &turn.last,
                fixed: &fixed,
            },
        )?;
        let mut commands: Vec<Command> = self.commands.drain(..).collect();
        let answer = words.into_iter().map(|sentence| Command::Say {
            sentence: Secret::new(sentence),
        });
        commands.splice(place, answer);
        let said = commands.iter().filter_map(said_by).map(str::to_owned);
        self.state.wording.said_instead(said.collect());
        self.commands = commands.into();
        self.turn = None;
        Ok(())
    }

    /// Where among the commands the answer to a question stands that nothing but an open question follows.
    fn answer(&self) -> Option<Range<usize>> {
        let turn = self.turn.as_ref()?;
        let looked_up = turn
            .moves
            .iter()
            .position(|one| matches!(one, Move::LookUp(_)))?;
        let mut rest = turn.moves[looked_up + 1..].iter();
        let answers = matches!(rest.next(), Some(Move::Inform(_) | Move::DoNotKnow));
        if !answers || !rest.all(wording::asks_openly) || self.help_is_under_way() {
            return None;
        }
        let commands = || self.commands.iter();
        let at = commands().position(|one| matches!(one, Command::LookedUp { .. }))?;
        let before = commands().take(at).filter_map(said_by).count();
        let sentences = turn.sentences.get(before..)?.iter();
        let sentences = commands().skip(at + 1).zip(sentences);
        let answer = sentences
            .take_while(|(command, (_, open))| said_by(command).is_some() && !open)
            .count();
        let place = at + 1..at + 1 + answer;
        let mut ours = self.commands.range(place.clone()).filter_map(said_by);
        let names_a_number = ours.any(|said| said.contains(|c: char| c.is_ascii_digit()));
        (answer > 0 && !names_a_number).then_some(place)
    }

    /// Puts these words in the place of the turn's open sentences, a question where the last of
    /// them was. All else stays where it is.
    fn say_instead(&mut self, open: &[bool], mut words: Vec<String>) {
        let question = words.pop_if(|last| last.ends_with('?'));
        let last_open = open.iter().rposition(|open| *open);
        let mut statements = Some(words);
        let mut question = Some(question);
        let mut place = 0;
        let mut commands = VecDeque::new();
        for command in self.commands.drain(..) {
            if !matches!(command, Command::Say { .. }) {
                commands.push_back(command);
                continue;
            }
            if open.get(place) == Some(&true) {
                let here = statements.take().into_iter().flatten();
                let ends = question.take_if(|_| Some(place) == last_open);
                commands.extend(here.chain(ends.flatten()).map(|sentence| Command::Say {
                    sentence: Secret::new(sentence),
                }));
            } else {
                commands.push_back(command);
            }
            place += 1;
        }
        let said = commands.iter().filter_map(|command| match command {
            Command::Say { sentence } => Some(sentence.expose_secret().clone()),
            _ => None,
        });
        self.state.wording.said_instead(said.collect());
        self.commands = commands;
        self.turn = None;
    }

    /// The note, with what the caller told in these sentences if every one of them rests on the
    /// caller's words (`said`, turn by turn). What is assessed, denied and done stays the flow's.
    pub fn note_told(&self, sentences: &[ToldSentence], said: &[&str]) -> Result<CaseNote, Unfit> {
        note::write_told(&self.state, sentences, said)
    }

    /// These sentences, which are said next, hold a phrase that ends a call of this assistant's, and it may end here: they reply to
    /// a caller who is safe by their own account, has told of nothing that may be danger, and is asked nothing that
    /// matters. The conversation is over then.
    pub(crate) fn ends_with(&mut self, sentences: &[Secret<String>]) -> bool {
        let ends = self.replies
            && self.state.may_be_left()
            && self.setup.assistant.program.ends_with(sentences);
        if ends {
            self.state.ended = Some(EndReason::AssistantEnded);
            self.state.pending = None;
        }
        ends
    }

    /// The next thing to do, in order.
    pub fn poll_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }
}

fn said_by(command: &Command) -> Option<&str> {
    match command {
        Command::Say { sentence } => Some(sentence.expose_secret()),
        _ => None,
    }
}

/// What the caller told that may be said back.
fn told(state: &State) -> Told {
    /// Longer than this an address is heard better than repeated.
    const LONGEST_PLACE: usize = 48;
    /// The caller's words name who does it, together with what is done.
    const NAMED: f32 = 0.8;
    let plain = |text: &str| !text.contains(['?', '!', '\n', '{']);
    Told {
        name: state
            .name
            .as_ref()
            .map(|name| name.heard.value.0.expose_secret().clone())
            .filter(|name| plain(name)),
        place: state
            .address()
            .map(|address| address.expose_secret().clone())
            .filter(|place| plain(place) && place.len() <= LONGEST_PLACE),
        call_back: state
            .call_back
            .as_ref()
            .map(|number| note::in_groups(number.heard.value.0.expose_secret())),
        who: state.abuser.as_ref().and_then(|abuser| {
            // Nobody is said to have done it who may only have been spoken of beside it.
            let abuser = (abuser.heard.confidence >= NAMED).then_some(abuser)?;
            let words = abuser.heard.words.expose_secret().to_lowercase();
            let role = words.strip_prefix("my ")?.trim_end_matches("'s");
            (plain(role) && role.split(' ').count() <= 4).then(|| format!("your {role}"))
        }),
    }
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation")
            .field("turns", &self.state.turns)
            .field("route", &self.state.route)
            .field("ended", &self.state.ended)
            .finish_non_exhaustive()
    }
}
