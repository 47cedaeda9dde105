//! The floor itself.

use std::time::Duration;

use crate::{Command, Deadline, Event, Plan};

/// Who has the floor in one call.
#[derive(Debug)]
pub struct Floor {
    _plan: Plan,
}

impl Floor {
    pub fn new(plan: Plan) -> Self {
        Self { _plan: plan }
    }

    /// Takes in one event that became known at `now`.
    pub fn handle(&mut self, _event: Event, _now: Duration) {}

    /// What to do next, in order.
    pub fn poll_command(&mut self) -> Option<Command> {
        None
    }

    /// When to call [`Floor::handle_deadline`] next, and what for.
    pub fn poll_deadline(&self) -> Option<(Duration, Deadline)> {
        None
    }

    /// Acts on every deadline that has come by `now`.
    pub fn handle_deadline(&mut self, _now: Duration) {}
}
