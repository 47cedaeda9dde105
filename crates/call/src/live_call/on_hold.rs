//! A caller on hold: what [`turn::HandOver`] decides of it is carried out here, between the legs and the conversation.

use turn::NotTalking;

use flow::Event as FlowEvent;

use super::LiveCall;
use crate::events::CallEvent;
use crate::legs::OfficerId;
use crate::media::Transport;

impl LiveCall {
    /// An officer would put the caller on hold.
    pub(super) fn be_put_on_hold(&mut self, officer: OfficerId) -> Result<(), NotTalking> {
        let now = self.now();
        let transfer = self.transfer.as_mut().ok_or(NotTalking)?;
        transfer.hand_over.put_on_hold(officer, now)
    }

    /// An officer would take the caller back.
    pub(super) fn be_taken_off_hold(&mut self, officer: OfficerId) -> Result<(), NotTalking> {
        let now = self.now();
        let transfer = self.transfer.as_mut().ok_or(NotTalking)?;
        transfer.hand_over.take_off_hold(officer, now)
    }

    pub(super) fn begin_hold(&mut self, transport: &mut dyn Transport) {
        metrics::counter!("nightlight_callers_put_on_hold_total").increment(1);
        let now = self.now();
        // What was said to the caller until now is on the transcript; what follows is for colleagues.
        for (officer, said) in self.legs.put_caller_on_hold() {
            self.transcribe_officer(officer, said, now);
        }
        self.tell(transport, CallEvent::CallerOnHold);
        self.tell_conversation(transport, FlowEvent::PutOnHold);
    }

    pub(super) fn end_hold(&mut self, transport: &mut dyn Transport) {
        self.legs.take_caller_off_hold();
        self.tell(transport, CallEvent::CallerOffHold);
        self.tell_conversation(transport, FlowEvent::TakenOffHold);
    }
}
