//! How duty officers come to a call and leave it: what [`turn::HandOver`] decides is carried out here, between the desk, the
//! legs and the conversation.

use std::sync::Arc;
use std::time::Duration;

use flow::{Afterwards, Agency, EndReason, Event as FlowEvent, Hint, Reply, TransferMode};
use redact::Secret;
use tokio::time::Instant;
use turn::{
    Event, HandOver, HandOverCommand, HandOverEvent, HandOverPlan, NotTaken, Part, Unreached,
};

use super::{Done, LiveCall, Synthesis};
use crate::app_messages::{self, FromPage};
use crate::duty_desk::{FromDesk, Joining};
use crate::events::{CallEvent, SavedTurn, Speaker};
use crate::legs::{FromAssistant, FromOfficer, Heard, Legs, OfficerId, Said};
use crate::media::{AudioFrame, FRAME_SAMPLES, FromCaller, Transport};
use crate::playout::Playout;
use crate::under_way::UnderWay;

/// A warm transfer of this call that goes to people.
pub(super) struct Transfer {
    pub hand_over: HandOver<OfficerId>,
    agency: Agency,
    /// What is said to the officer, while it is being made.
    briefing: Option<(OfficerId, Synthesis)>,
}

impl Transfer {
    /// What an officer is told of the call, and what its sound comes from.
    pub fn briefing<'a>(&'a self, legs: &'a mut Legs) -> Option<(&'a Synthesis, &'a mut Playout)> {
        let (officer, synthesis) = self.briefing.as_ref()?;
        Some((synthesis, legs.briefing_of(*officer)?))
    }
}

impl LiveCall {
    /// Whether a person is being brought to the caller, or talks with them.
    pub(super) fn has_help_at_hand(&self) -> bool {
        self.transfer
            .as_ref()
            .is_some_and(|transfer| !transfer.hand_over.is_over())
    }

    /// Where people are on duty, what the flow decided is done by them: they are rung as soon as the caller begins to hear of
    /// it, and the call does not end with those words.
    pub(super) fn ring_for_warm_transfer(&mut self, transport: &mut dyn Transport) {
        if !self.is_anyone_on_duty() {
            return;
        }
        let Some(speaking) = &mut self.speaking else {
            return;
        };
        let Some(agency) = speaking.afterwards.iter().find_map(warmly_to) else {
            return;
        };
        speaking
            .afterwards
            .retain(|step| step.ends().is_none() && warmly_to(step).is_none());
        let mode = TransferMode::Warm;
        self.tell(transport, CallEvent::Transferred { mode, agency });
        self.ring(agency, transport);
    }

    fn is_anyone_on_duty(&self) -> bool {
        let desk = self.shared.desk.as_ref();
        desk.is_some_and(|desk| desk.anyone_on_duty())
    }

    fn ring(&mut self, agency: Agency, transport: &mut dyn Transport) {
        let now = self.now();
        self.conversation.handle(FlowEvent::OfficersRung, now);
        self.floor.handle(Event::HelpAtHand(true), now);
        let plan = HandOverPlan {
            bound: self.shared.answered_within,
            ..HandOverPlan::default()
        };
        self.transfer = Some(Transfer {
            hand_over: HandOver::decided(plan, now),
            agency,
            briefing: None,
        });
        self.keep();
        self.tell_step(transport);
        self.carry_out_hand_over(transport);
    }

    /// A caller who was cut off while they waited is back, and this process knows nothing of it.
    pub(super) fn ring_again(&mut self, transport: &mut dyn Transport) {
        let waits = self.conversation.is_connecting() || self.conversation.is_with_officer();
        let on_duty = self.is_anyone_on_duty();
        let agency = self.conversation.note().structured_data.transfer_to;
        if let Some(agency) = agency.filter(|_| waits && on_duty && self.transfer.is_none()) {
            self.ring(agency, transport);
        }
    }

    /// Takes in what the desk tells.
    pub(super) fn hear_desk(&mut self, transport: &mut dyn Transport, news: FromDesk) {
        let now = self.now();
        match news {
            // Who asked may go all the same; then nobody comes onto the line, and others are rung.
            FromDesk::Accepted { officer, request } => {
                request.answer(|| match &mut self.transfer {
                    Some(transfer) => transfer.hand_over.accept(officer, now),
                    None => Err(NotTaken::NotRinging),
                });
            }
            FromDesk::AllDeclined => self.tell_hand_over(HandOverEvent::AllDeclined),
            FromDesk::AlsoRung { officer } => {
                self.tell(transport, CallEvent::OfficerAlsoRung { officer });
            }
            FromDesk::Joined {
                officer,
                joining,
                line,
            } => self.take_line(transport, officer, joining, line),
            FromDesk::Ready { officer } => {
                self.tell_hand_over(HandOverEvent::BriefingHeard(officer));
            }
            FromDesk::TookOver { officer, request } => {
                request.answer(|| self.be_taken_over(officer));
            }
            FromDesk::PutsOnHold { officer, request } => {
                request.answer(|| self.be_put_on_hold(officer));
            }
            FromDesk::TakesBack { officer, request } => {
                request.answer(|| self.be_taken_off_hold(officer));
            }
            FromDesk::Hinted { hint } => self.be_hinted(hint),
            FromDesk::Left { officer, request } => request.answer(|| self.let_leave(officer)),
        }
        self.carry_out_hand_over(transport);
    }

    fn take_line(
        &mut self,
        transport: &mut dyn Transport,
        officer: OfficerId,
        joining: Joining,
        mut line: Box<dyn Transport>,
    ) {
        let hand_over = self.transfer.as_ref().map(|transfer| &transfer.hand_over);
        let has_it = hand_over.is_some_and(|it| it.officer() == Some(officer));
        let talks = hand_over.is_some_and(|it| it.is_put_through(officer));
        let on_hold = hand_over.is_some_and(HandOver::is_on_hold);
        let part = match joining {
            // On another line than before: the caller does not lose them by that.
            Joining::Accepted if talks && on_hold => Part::Consulting,
            Joining::Accepted if talks => Part::Officer,
            Joining::Accepted if has_it => Part::Briefed,
            Joining::Listening => Part::Listener,
            Joining::Coaching => Part::Coach,
            Joining::Accepted => {
                tokio::spawn(async move { line.close().await });
                return;
            }
        };
        // A line alone brings nobody before the caller's ears: that is for `HandOverCommand::PutThrough`, which tells them.
        debug_assert!(talks || !part.is_told_to_the_caller(), "{part:?}");
        if talks && !matches!(joining, Joining::Accepted) {
            // They talk with the caller no more, who is not to be alone.
            self.tell_hand_over(HandOverEvent::OfficerLost(officer));
            self.carry_out_hand_over(transport);
        }
        // Without a beat so far, those that were missed are not made up for.
        self.ticker.reset_immediately();
        let said = self.legs.add(officer, part, line);
        self.write_down(officer, said);
    }

    /// False if they have no line to the call.
    fn be_taken_over(&mut self, officer: OfficerId) -> bool {
        if self.legs.part_of(officer).is_none() {
            return false;
        }
        let now = self.now();
        match &mut self.transfer {
            Some(transfer) => transfer
                .hand_over
                .handle(HandOverEvent::TakenOver(officer), now),
            None => {
                let plan = HandOverPlan::default();
                self.transfer = Some(Transfer {
                    hand_over: HandOver::taken_over(plan, officer, now),
                    agency: self.agency_so_far(),
                    briefing: None,
                });
            }
        }
        true
    }

    /// A reply that is being prepared is said as it is; the one after it takes the hint up.
    fn be_hinted(&mut self, hint: Hint) {
        let now = self.now();
        self.conversation.handle(FlowEvent::Hinted { hint }, now);
        if self.preparing.is_some() {
            self.hinted.push(hint);
        }
    }

    /// The one that the flow has in mind; the police where it has none yet.
    fn agency_so_far(&self) -> Agency {
        let note = self.conversation.note();
        note.structured_data.transfer_to.unwrap_or(Agency::Spf)
    }

    /// False if they are not on the call. Who has accepted it is, also before their line is there.
    fn let_leave(&mut self, officer: OfficerId) -> bool {
        let part = self.legs.part_of(officer);
        let hand_over = self.transfer.as_ref().map(|transfer| &transfer.hand_over);
        let has_it = hand_over.is_some_and(|it| it.officer() == Some(officer));
        let a_colleague_stays = hand_over.is_some_and(|it| it.talks_beside(officer));
        if part.is_none() && !has_it {
            return false;
        }
        if let Some(desk) = self.shared.desk.as_ref().filter(|_| has_it) {
            desk.given_back(self.id, officer);
        }
        match part {
            Some(Part::Officer) if self.a_person_talks() && !a_colleague_stays => {
                self.hang_up(EndReason::Forwarded);
            }
            // Nobody is hung up on while they wait, while a colleague talks with them, or by who was never heard: the two may have
            // come together, or a hold may have ended, in the moment in which the call was given back. Of who listens or coaches
            // nobody is at a loss.
            _ => self.tell_hand_over(HandOverEvent::OfficerLost(officer)),
        }
        self.let_go_of(officer);
        true
    }

    fn let_go_of(&mut self, officer: OfficerId) {
        let said = self.legs.remove(officer);
        self.write_down(officer, said);
    }

    /// Has what an officer was saying until now transcribed, if they were.
    fn write_down(&mut self, officer: OfficerId, said: Option<Said>) {
        let now = self.now();
        if let Some(said) = said {
            self.transcribe_officer(officer, said, now);
        }
    }

    /// Takes in what came from an officer's line.
    pub(super) fn hear_officer(&mut self, transport: &mut dyn Transport, from: FromOfficer) {
        let FromOfficer { officer, what, .. } = from;
        match what {
            FromCaller::Connected => {
                self.tell_hand_over(HandOverEvent::OfficerConnected(officer));
            }
            FromCaller::Audio(frame) => self.hear_officer_say(officer, &frame),
            FromCaller::Missing => self.hear_officer_say(officer, &[0; FRAME_SAMPLES]),
            FromCaller::Message(text) => {
                match app_messages::read(&text, &self.shared.end_call_phrases) {
                    Ok(FromPage::EndCall) => {
                        self.let_leave(officer);
                    }
                    Ok(FromPage::MuteCaller(muted)) => {
                        let said = self.legs.mute(officer, muted);
                        self.write_down(officer, said);
                    }
                    Ok(_) => {}
                    Err(error) => {
                        metrics::counter!("nightlight_app_messages_refused_total").increment(1);
                        tracing::debug!(call = %self.id, %error, "app message refused");
                    }
                }
            }
            FromCaller::Closed(reason) => {
                tracing::info!(call = %self.id, ?reason, "an officer's line is gone");
                self.let_go_of(officer);
                // Nobody is brought to a caller who has hung up.
                if self.leaving.is_none() {
                    self.tell_hand_over(HandOverEvent::OfficerLost(officer));
                }
            }
        }
        self.carry_out_hand_over(transport);
    }

    fn hear_officer_say(&mut self, officer: OfficerId, frame: &AudioFrame) {
        let now = self.now();
        let (mut spoke, mut said) = (false, None);
        self.legs.hear(officer, frame, now, |heard| match heard {
            Heard::Spoke => spoke = true,
            Heard::Said(what) => said = Some(what),
        });
        if spoke {
            self.tell_hand_over(HandOverEvent::OfficerSpoke(officer));
        }
        self.write_down(officer, said);
    }

    pub(super) fn transcribe_officer(
        &mut self,
        officer: OfficerId,
        Said { sound, from }: Said,
        to: Duration,
    ) {
        self.officers_unheard += 1;
        let done = self.done_tx.clone();
        let transcriber = Arc::clone(&self.shared.transcriber);
        let (id, standing) = (self.id, self.standing());
        self.spawn(async move {
            let _under_way = UnderWay::of("transcription");
            let words = transcriber.transcribe(sound, standing).await;
            if let Err(error) = &words {
                metrics::counter!("nightlight_transcriptions_failed_total").increment(1);
                tracing::warn!(call = %id, %error, "what an officer said could not be transcribed");
            }
            let _ = done.send(Done::OfficerSaid {
                officer,
                words: words.unwrap_or_default(),
                from,
                to,
            });
        });
    }

    /// The call is over. What officers were saying is written down all the same, within the bound for last words.
    pub(super) async fn hear_officers_out(&mut self, transport: &mut dyn Transport) {
        let now = self.now();
        for (officer, said) in self.legs.end_utterances() {
            self.transcribe_officer(officer, said, now);
        }
        let until = Instant::now() + self.plan.last_words_bound;
        while self.officers_unheard > 0 {
            match tokio::time::timeout_at(until, self.done_rx.recv()).await {
                Ok(Some(done)) => self.take_in(transport, done),
                Ok(None) | Err(_) => return,
            }
        }
    }

    /// Adds to the record what an officer said.
    pub(super) fn note_officer(
        &mut self,
        transport: &mut dyn Transport,
        officer: OfficerId,
        words: Secret<String>,
        from: Duration,
        to: Duration,
    ) {
        if words.expose_secret().is_empty() {
            return;
        }
        self.spoken.officer_said(officer, words.clone(), from, to);
        self.tell(
            transport,
            CallEvent::Transcript {
                speaker: Speaker::Officer(Some(officer)),
                words,
                is_final: true,
            },
        );
        self.keep();
    }

    /// When the hand-over is to be asked what follows.
    pub(super) fn hand_over_due(&self) -> Option<Instant> {
        let (due, _) = self.transfer.as_ref()?.hand_over.poll_deadline()?;
        self.moment_of(due)
    }

    pub(super) fn pass_hand_over_deadline(&mut self) {
        let now = self.now();
        if let Some(transfer) = &mut self.transfer {
            transfer.hand_over.handle_deadline(now);
        }
    }

    /// Whether the caller is answered by a person, and not by the assistant.
    pub(super) fn a_person_talks(&self) -> bool {
        let transfer = self.transfer.as_ref();
        transfer.is_some_and(|transfer| !transfer.hand_over.assistant_stays())
    }

    /// One beat of the talk between all who are on the call.
    pub(super) fn exchange(
        &mut self,
        transport: &mut dyn Transport,
        from_assistant: FromAssistant<'_>,
    ) {
        let exchanged = self.legs.exchange(from_assistant);
        transport.send_audio(&exchanged.for_the_caller);
        if let Some(officer) = exchanged.briefed {
            self.tell_hand_over(HandOverEvent::BriefingHeard(officer));
        }
    }

    fn tell_hand_over(&mut self, event: HandOverEvent<OfficerId>) {
        let now = self.now();
        if let Some(transfer) = &mut self.transfer {
            transfer.hand_over.handle(event, now);
        }
    }

    /// Carries out what the hand-over has decided.
    pub(super) fn carry_out_hand_over(&mut self, transport: &mut dyn Transport) {
        while let Some(transfer) = &mut self.transfer
            && let Some(command) = transfer.hand_over.poll_command()
        {
            let agency = transfer.agency;
            let on_hold = transfer.hand_over.is_on_hold();
            match command {
                HandOverCommand::Ring(whom) => {
                    let officers = match &self.shared.desk {
                        Some(desk) => desk.ring(self.id, agency, whom),
                        None => Vec::new(),
                    };
                    let rung = CallEvent::OfficersRung {
                        agency,
                        whom,
                        officers,
                    };
                    self.tell(transport, rung);
                }
                HandOverCommand::StopRinging { taken_by } => {
                    if let Some(desk) = &self.shared.desk {
                        desk.stop_ringing(self.id, taken_by);
                    }
                    if let Some(officer) = taken_by {
                        self.tell(transport, CallEvent::OfficerAccepted { officer });
                    }
                }
                HandOverCommand::Brief(officer) => self.brief(officer),
                HandOverCommand::PutThrough(officer) => {
                    self.legs.put_through(officer);
                    self.tell(transport, CallEvent::OfficerJoined { officer });
                    self.tell_conversation(transport, FlowEvent::OfficerJoined);
                    let now = self.now();
                    self.floor.handle(Event::HelpAtHand(true), now);
                }
                HandOverCommand::TellProgress => {
                    // Somebody who speaks, or is being answered, is not told it over that.
                    let nobody_speaks = self.caller_from.is_none()
                        && self.speaking.is_none()
                        && self.preparing.is_none();
                    if nobody_speaks {
                        let still = match on_hold {
                            true => FlowEvent::StillOnHold,
                            false => FlowEvent::StillRinging,
                        };
                        self.tell_conversation(transport, still);
                    }
                }
                HandOverCommand::PutOnHold => self.begin_hold(transport),
                HandOverCommand::TellHoldEnds { within } => {
                    self.tell(transport, CallEvent::HoldEndsSoon { within });
                }
                HandOverCommand::TakeOffHold => self.end_hold(transport),
                HandOverCommand::LeaveTheTalk => {
                    self.said_next = None;
                    self.stop_speaking(transport, true);
                    let now = self.now();
                    self.floor.handle(Event::PlayoutFinished, now);
                }
                HandOverCommand::LetGo(officer) => {
                    self.let_go_of(officer);
                    self.tell(transport, CallEvent::OfficerLeft { officer });
                }
                HandOverCommand::GiveUpOn(officer) => {
                    // It may be on its way.
                    self.let_go_of(officer);
                    self.tell(transport, CallEvent::OfficerNeverCame { officer });
                }
                HandOverCommand::TakeBack(why) => self.take_back(transport, why),
            }
        }
    }

    fn take_back(&mut self, transport: &mut dyn Transport, why: Unreached) {
        metrics::counter!("nightlight_transfers_unreached_total").increment(1);
        self.legs.take_caller_off_hold();
        if let Some(desk) = &self.shared.desk {
            desk.alert(self.id, why);
        }
        self.tell(transport, CallEvent::OfficersUnreached { why });
        self.tell_conversation(transport, FlowEvent::OfficerUnreached { why: told(why) });
        let now = self.now();
        self.floor.handle(Event::HelpAtHand(false), now);
    }

    /// Something happened that the flow has to know of now, whatever it is doing; what it has to say to it is said. The floor
    /// hears of nothing before this that would have it start a reply from before.
    pub(super) fn tell_conversation(&mut self, transport: &mut dyn Transport, event: FlowEvent) {
        let now = self.now();
        self.conversation.handle(event.clone(), now);
        let reply = self.conversation.take_reply();
        match self.preparing.as_mut().filter(|it| it.is_unanswered()) {
            // It was said to an officer, and stays what it was.
            Some(preparing) => {
                preparing.conversation.handle(event, now);
                let _ = preparing.conversation.take_reply();
            }
            // Whatever is being worked out is for how it was before: it may end a call that goes on now.
            None => {
                self.reading = None;
                self.preparing = None;
                self.floor.handle(Event::ReplyOvertaken, now);
            }
        }
        self.keep();
        self.tell_step(transport);
        if reply.sentences.is_empty() {
            return;
        }
        match &mut self.speaking {
            // Nobody is cut short in the middle of a number.
            Some(speaking) if speaking.from.is_some() => {
                speaking.playout.end_with_this_sentence();
                self.said_next = Some(reply);
            }
            _ => self.say_now(reply, transport),
        }
    }

    /// Says something that the floor did not ask for.
    pub(super) fn say_now(&mut self, reply: Reply, transport: &mut dyn Transport) {
        let now = self.now();
        self.floor.handle(Event::AssistantTold, now);
        self.stop_speaking(transport, false);
        self.say(reply, transport);
        self.start_playing(transport);
    }

    /// Lets the officer hear what the call is about, and nobody else.
    fn brief(&mut self, officer: OfficerId) {
        let sentences = vec![self.conversation.briefing()];
        let synthesis = self.synthesise(&sentences, self.standing());
        self.legs.brief(officer, Playout::new(sentences));
        if let Some(transfer) = &mut self.transfer {
            transfer.briefing = Some((officer, synthesis));
        }
    }

    /// Makes what was said, and where the conversation is, durable between turns. A turn that is being prepared does it
    /// otherwise.
    pub(super) fn keep(&mut self) {
        if self.preparing.is_some() {
            return;
        }
        self.turns += 1;
        let turn = SavedTurn {
            index: self.turns,
            messages: self.spoken.take_unsaved(),
            conversation: self.conversation.save(),
        };
        let (shared, id) = (Arc::clone(&self.shared), self.id);
        // The call's end, or its next turn, holds it too.
        self.spawn(async move { drop(shared.journal.turn(id, turn).await) });
    }

    /// The call is over: nobody is rung for it any more, and every officer's line is given up.
    pub(super) fn part_with_officers(&mut self) {
        let is_rung_for = self.transfer.take().is_some_and(|transfer| {
            transfer.hand_over.officer().is_none() && !transfer.hand_over.is_over()
        });
        if let Some(desk) = self.shared.desk.as_ref().filter(|_| is_rung_for) {
            desk.stop_ringing(self.id, None);
        }
        self.legs = Legs::new(self.plan.clone());
    }
}

fn warmly_to(step: &Afterwards) -> Option<Agency> {
    match step {
        Afterwards::Transfer {
            mode: TransferMode::Warm,
            agency,
        } => Some(*agency),
        _ => None,
    }
}

fn told(why: Unreached) -> flow::Unreached {
    match why {
        Unreached::NobodyAnswered => flow::Unreached::NobodyAnswered,
        Unreached::AllDeclined => flow::Unreached::AllDeclined,
        Unreached::AcceptedInVain => flow::Unreached::AcceptedInVain,
        Unreached::LineDropped => flow::Unreached::LineDropped,
    }
}
