//! What somebody else may have a say in, as a caller's case is passed on: whom it goes to, before the caller is asked whether it
//! may, and a word beside what the flow says. Nothing of the flow's own is left out for it, and in danger there is none.

use redact::Secret;

use super::{Command, Conversation, said_by};
use crate::machine::Route;
use crate::{Agency, ProgramsWords, Question, TransferMode, Unfit, held};

impl Conversation {
    /// Whom the turn asks the caller to share their case with, for the first time, where nothing that was told is a danger to
    /// anybody. Before its commands are polled.
    pub fn asks_to_share_calmly(&self) -> Option<Agency> {
        let route = self.state.route?;
        let asks = self.state.pending == Some(Question::Consent)
            && self.state.times_asked(Question::Consent) == 1
            && self.commands.back().and_then(said_by).is_some();
        let is_calm = route.mode == TransferMode::Cold && self.state.nothing_is_dangerous();
        (asks && is_calm).then_some(route.agency)
    }

    /// Asks to share it with this agency instead, and has it in the place of the other from then on: one of those that take a
    /// case, once in a conversation. Before the turn's commands are polled.
    pub fn ask_to_share_with(&mut self, agency: Agency) -> Result<(), Unfit> {
        let first = self.asks_to_share_calmly().ok_or(Unfit::OutOfPlace)?;
        if agency == first {
            return Ok(());
        }
        let takes_cases = agency.transfer_mode() == TransferMode::Cold;
        if !takes_cases || self.state.stood_in_for.is_some() || !self.state.transfers.is_empty() {
            return Err(Unfit::Agency);
        }
        let directory = &self.setup.assistant.directory;
        let names = |agency| directory.agency(agency).in_a_sentence.as_str();
        let (ours, theirs) = (names(first), names(agency));
        let mut named = false;
        let commands = self.commands.iter().map(|command| match said_by(command) {
            Some(said) if said.contains(ours) => {
                named = true;
                let sentence = Secret::new(said.replace(ours, theirs));
                Command::Say { sentence }
            }
            _ => command.clone(),
        });
        let commands: Vec<Command> = commands.collect();
        if !named {
            return Err(Unfit::OutOfPlace);
        }
        let said = commands.iter().filter_map(said_by).map(str::to_owned);
        self.state.wording.said_instead(said.collect());
        self.state.stood_in_for = Some(first);
        self.state.route = Some(Route {
            agency,
            mode: TransferMode::Cold,
        });
        self.commands = commands.into();
        self.turn = None;
        Ok(())
    }

    /// Whom the turn passes the caller's case on to, where nothing that was told is a danger to anybody. Before its commands
    /// are polled.
    pub fn hands_over_calmly(&self) -> Option<Agency> {
        let mut transfers = self.commands.iter().filter_map(|command| match command {
            Command::Transfer { mode, agency } => Some((*mode, *agency)),
            _ => None,
        });
        let (mode, agency) = transfers.next()?;
        let is_calm = mode == TransferMode::Cold
            && transfers.next().is_none()
            && self.state.nothing_is_dangerous();
        is_calm.then_some(agency)
    }

    /// Says this too, right before the case is passed on, if it fits: as long as a program's first message at most, without
    /// what it asks, and held to what an assistant may say. Before the turn's commands are polled.
    pub fn say_before_handing_over(&mut self, text: &str, said: &[&str]) -> Result<(), Unfit> {
        self.hands_over_calmly().ok_or(Unfit::OutOfPlace)?;
        let text = ProgramsWords::sayable(text).ok_or(Unfit::Empty)?;
        let ours: Vec<&str> = self.commands.iter().filter_map(said_by).collect();
        let words = held::hold(
            &text,
            &held::Bounds {
                may_ask: false,
                said,
                known: &[text.as_str()],
                last: &[],
                fixed: &ours,
            },
        )?;
        let is_the_transfer = |one: &Command| matches!(one, Command::Transfer { .. });
        let at = self.commands.iter().position(is_the_transfer);
        let at = at.ok_or(Unfit::OutOfPlace)?;
        let mut commands: Vec<Command> = self.commands.drain(..).collect();
        let words = words.into_iter().map(|sentence| Command::Say {
            sentence: Secret::new(sentence),
        });
        commands.splice(at..at, words);
        let said = commands.iter().filter_map(said_by).map(str::to_owned);
        self.state.wording.said_instead(said.collect());
        self.commands = commands.into();
        self.turn = None;
        Ok(())
    }
}
