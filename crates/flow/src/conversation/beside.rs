//! A word of somebody else's beside what the flow says, as a caller's case is passed on. Nothing of the flow's own is left out
//! for it, and in danger there is none.

use redact::Secret;

use super::{Command, Conversation, said_by};
use crate::{Agency, ProgramsWords, TransferMode, Unfit, held};

impl Conversation {
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
