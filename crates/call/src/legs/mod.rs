//! The legs of a call beside the caller's and the assistant's: duty officers, each on a line, with a
//! part, an ear and a mute of their own.
//!
//! Every line is driven by a task of its own, so that one that stands still holds nobody up. What they
//! say is exchanged 20 ms at a time, as [`Part`] has it who hears whom; the call's loop gives the beat.
//! A leg that is let go of ends with its line.
//!
//! It does not decide who may join, what part they have, or what follows when one is gone.

mod line;
mod sound;

use std::sync::Arc;
use std::time::Duration;

use opus::Channels;
use speech::SAMPLE_RATE;
use tokio::sync::mpsc;
use turn::{Part, Plan, SegmentId, UtteranceChange, Utterances};
use uuid::Uuid;

use crate::ear::Ear;
use crate::media::{AudioFrame, FRAME_SAMPLES, FromCaller, Transport};
use crate::playout::{Playout, RenderedFrame, Tick};
use line::ToLine;
use sound::{SoundQueue, add};

/// How many events of lines wait for the call's loop. A line that is not listened to waits, as the network does.
const WAITING_EVENTS: usize = 64;

/// How the desk knows an officer: an account there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OfficerId(pub Uuid);

/// What came from an officer's line.
pub(crate) struct FromOfficer {
    pub officer: OfficerId,
    /// Which line: one that was let go of may still have something to say.
    line: u64,
    pub what: FromCaller,
}

/// All officers of one call.
pub(crate) struct Legs {
    legs: Vec<Leg>,
    plan: Plan,
    from_caller: SoundQueue,
    /// The caller's, which a hold changes.
    caller: Part,
    events: mpsc::Sender<FromOfficer>,
    happened: mpsc::Receiver<FromOfficer>,
    /// What the caller's side hears of what was rendered ahead is decoded for the others.
    decoder: Option<opus::Decoder>,
    lines: u64,
    /// One frame of each leg, in their order; kept for its room.
    frames: Vec<Option<AudioFrame>>,
}

struct Leg {
    officer: OfficerId,
    line: u64,
    to_line: mpsc::UnboundedSender<ToLine>,
    part: Part,
    muted: bool,
    said: SoundQueue,
    ear: Ear,
    utterances: Utterances,
    /// When what is being said began.
    began: Duration,
    briefing: Option<Playout>,
}

/// Something an officer did that the call has to know of.
pub(crate) enum Heard {
    /// They began to say something.
    Spoke,
    /// They said this.
    Said(Said),
}

/// What somebody said, from then until now.
pub(crate) struct Said {
    pub sound: Arc<[i16]>,
    pub from: Duration,
}

/// What the assistant says in a beat.
pub(crate) enum FromAssistant<'a> {
    Nothing,
    Frame(&'a AudioFrame),
    Rendered(&'a RenderedFrame),
}

/// What one beat has come to.
pub(crate) struct Exchanged {
    pub for_the_caller: AudioFrame,
    /// Who has heard their briefing to its end.
    pub briefed: Option<OfficerId>,
}

impl Legs {
    pub fn new(plan: Plan) -> Self {
        let (events, happened) = mpsc::channel(WAITING_EVENTS);
        Self {
            legs: Vec::new(),
            plan,
            from_caller: SoundQueue::default(),
            caller: Part::Caller,
            events,
            happened,
            decoder: None,
            lines: 0,
            frames: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.legs.is_empty()
    }

    /// Waits for an officer's line; for ever where there is none. Cancel-safe.
    pub async fn next(&mut self) -> FromOfficer {
        loop {
            let Some(from) = self.happened.recv().await else {
                return std::future::pending().await;
            };
            if self.legs.iter().any(|leg| leg.line == from.line) {
                return from;
            }
        }
    }

    /// Takes an officer in, with this part. Another line of theirs gives way to it; gives what was being said on that.
    pub fn add(
        &mut self,
        officer: OfficerId,
        part: Part,
        line: Box<dyn Transport>,
    ) -> Option<Said> {
        let said = self.remove(officer);
        self.lines += 1;
        let (to_line, orders) = mpsc::unbounded_channel();
        tokio::spawn(line::drive(
            line,
            orders,
            self.events.clone(),
            officer,
            self.lines,
        ));
        self.legs.push(Leg {
            officer,
            line: self.lines,
            to_line,
            part,
            muted: false,
            said: SoundQueue::default(),
            ear: Ear::for_plan(&self.plan),
            utterances: Utterances::new(self.plan.clone()),
            began: Duration::ZERO,
            briefing: None,
        });
        if self.legs.len() == 1 {
            self.from_caller = SoundQueue::default();
        }
        said
    }

    /// Lets go of an officer; gives what they were saying.
    pub fn remove(&mut self, officer: OfficerId) -> Option<Said> {
        let place = self.legs.iter().position(|leg| leg.officer == officer)?;
        self.legs.remove(place).end_utterance()
    }

    pub fn part_of(&self, officer: OfficerId) -> Option<Part> {
        let leg = self.legs.iter().find(|leg| leg.officer == officer)?;
        Some(leg.part)
    }

    /// They and the caller hear each other from now on: whoever puts them through tells the caller of them.
    pub fn put_through(&mut self, officer: OfficerId) {
        if let Some(leg) = self.leg(officer) {
            leg.part = Part::Officer;
            leg.briefing = None;
        }
    }

    /// The caller is with the assistant alone, and who talked with them consults. Gives what was being said to them, and by
    /// whom.
    pub fn put_caller_on_hold(&mut self) -> Vec<(OfficerId, Said)> {
        self.caller = Part::OnHold;
        self.forget_what_waits();
        let said = self.end_utterances();
        for leg in &mut self.legs {
            if leg.part == Part::Officer {
                leg.part = Part::Consulting;
            }
        }
        said
    }

    /// Nothing more of what is being said belongs to it. Gives what was, and by whom.
    pub fn end_utterances(&mut self) -> Vec<(OfficerId, Said)> {
        let legs = self.legs.iter_mut();
        legs.filter_map(|leg| Some((leg.officer, leg.end_utterance()?)))
            .collect()
    }

    /// They hear each other again.
    pub fn take_caller_off_hold(&mut self) {
        self.caller = Part::Caller;
        self.forget_what_waits();
        for leg in self
            .legs
            .iter_mut()
            .filter(|leg| leg.part == Part::Consulting)
        {
            leg.part = Part::Officer;
            leg.ear = Ear::for_plan(&self.plan);
        }
    }

    /// What was said before somebody's part changed is not for those who hear them now.
    fn forget_what_waits(&mut self) {
        self.from_caller = SoundQueue::default();
        for leg in &mut self.legs {
            leg.said = SoundQueue::default();
        }
    }

    /// Gives what they were saying: nothing is heard of who is muted, so nothing else would end it.
    pub fn mute(&mut self, officer: OfficerId, muted: bool) -> Option<Said> {
        let leg = self.leg(officer)?;
        leg.muted = muted;
        if !muted {
            return None;
        }
        leg.end_utterance()
    }

    /// Sends all of them an app message.
    pub fn tell(&self, text: &str) {
        for leg in &self.legs {
            leg.send(ToLine::Message(text.to_owned()));
        }
    }

    /// Lets this officer hear this, and nobody else.
    pub fn brief(&mut self, officer: OfficerId, briefing: Playout) {
        if let Some(leg) = self.leg(officer) {
            leg.briefing = Some(briefing);
        }
    }

    pub fn briefing_of(&mut self, officer: OfficerId) -> Option<&mut Playout> {
        self.leg(officer)?.briefing.as_mut()
    }

    pub fn hear_caller(&mut self, frame: &AudioFrame) {
        if !self.legs.is_empty() {
            self.from_caller.push(*frame);
        }
    }

    /// Takes in 20 ms of what an officer says.
    pub fn hear(
        &mut self,
        officer: OfficerId,
        frame: &AudioFrame,
        now: Duration,
        mut tell: impl FnMut(Heard),
    ) {
        let Some(leg) = self.leg(officer) else {
            return;
        };
        if leg.muted {
            return;
        }
        leg.said.push(*frame);
        if !Part::Assistant.hears(leg.part) {
            return;
        }
        let Leg {
            ear,
            utterances,
            began,
            ..
        } = leg;
        let close = |ear: &mut Ear, segment: SegmentId, from| {
            let sound = ear.close(segment)?;
            Some(Heard::Said(Said { sound, from }))
        };
        ear.hear(frame, |ear, voiced, ago| {
            let said = now.saturating_sub(ago);
            match utterances.handle_frame(voiced, said) {
                UtteranceChange::Nothing => {}
                UtteranceChange::Opened {
                    segment,
                    pre_roll,
                    began: onset,
                } => {
                    ear.open(segment, pre_roll);
                    *began = onset;
                }
                UtteranceChange::Spoke => tell(Heard::Spoke),
                UtteranceChange::Dropped { segment } => ear.drop_segment(segment),
                UtteranceChange::Closed { segment } => {
                    close(ear, segment, *began).into_iter().for_each(&mut tell);
                }
                UtteranceChange::Full { full, segment } => {
                    close(ear, full, *began).into_iter().for_each(&mut tell);
                    ear.open(segment, Duration::ZERO);
                    *began = said;
                }
            }
        });
    }

    /// One beat: 20 ms from everybody to everybody who hears them.
    pub fn exchange(&mut self, assistant: FromAssistant<'_>) -> Exchanged {
        let assistant = self.decoded(assistant);
        let caller = self.from_caller.take();
        self.frames.clear();
        let frames = self.legs.iter_mut().map(|leg| leg.said.take());
        self.frames.extend(frames);
        let mut briefed = None;
        for place in 0..self.legs.len() {
            let mut mix = self.mix_for(place, caller.as_ref(), assistant.as_ref());
            let leg = &mut self.legs[place];
            if let Some(briefing) = &mut leg.briefing {
                match briefing.tick() {
                    Tick::Frame(frame) => add(&mut mix, &frame),
                    Tick::Rendered(frame) => {
                        // Nobody else is heard beside it: it goes as it is.
                        leg.send(ToLine::Packet(frame));
                        continue;
                    }
                    Tick::Starved => {}
                    Tick::Finished => {
                        leg.briefing = None;
                        briefed = Some(leg.officer);
                    }
                }
            }
            leg.send(ToLine::Sound(mix));
        }
        let mut for_the_caller = assistant.unwrap_or([0; FRAME_SAMPLES]);
        for (leg, frame) in self.legs.iter().zip(&self.frames) {
            if let Some(frame) = frame.as_ref().filter(|_| self.caller.hears(leg.part)) {
                add(&mut for_the_caller, frame);
            }
        }
        Exchanged {
            for_the_caller,
            briefed,
        }
    }

    /// What the leg at this place hears of the others.
    fn mix_for(
        &self,
        place: usize,
        caller: Option<&AudioFrame>,
        assistant: Option<&AudioFrame>,
    ) -> AudioFrame {
        let part = self.legs[place].part;
        let mut mix = [0; FRAME_SAMPLES];
        let others = self.legs.iter().zip(&self.frames).enumerate();
        let officers = others
            .filter(|(other, _)| *other != place)
            .map(|(_, (leg, frame))| (leg.part, frame.as_ref()));
        let voices = [(self.caller, caller), (Part::Assistant, assistant)];
        for (other, frame) in voices.into_iter().chain(officers) {
            if let Some(frame) = frame.filter(|_| part.hears(other)) {
                add(&mut mix, frame);
            }
        }
        mix
    }

    fn decoded(&mut self, assistant: FromAssistant<'_>) -> Option<AudioFrame> {
        match assistant {
            FromAssistant::Nothing => None,
            FromAssistant::Frame(frame) => Some(*frame),
            FromAssistant::Rendered(rendered) => {
                if self.decoder.is_none() {
                    self.decoder = opus::Decoder::new(SAMPLE_RATE, Channels::Mono).ok();
                }
                let mut frame = [0; FRAME_SAMPLES];
                let decoder = self.decoder.as_mut()?;
                let decoded = decoder.decode(rendered.packet(), &mut frame, false);
                decoded.is_ok().then_some(frame)
            }
        }
    }

    fn leg(&mut self, officer: OfficerId) -> Option<&mut Leg> {
        self.legs.iter_mut().find(|leg| leg.officer == officer)
    }
}

impl Leg {
    /// What is being said ends here; gives it, if it is speech.
    fn end_utterance(&mut self) -> Option<Said> {
        match self.utterances.end() {
            UtteranceChange::Closed { segment } => {
                let sound = self.ear.close(segment)?;
                let from = self.began;
                Some(Said { sound, from })
            }
            UtteranceChange::Dropped { segment } => {
                self.ear.drop_segment(segment);
                None
            }
            _ => None,
        }
    }

    fn send(&self, what: ToLine) {
        // A line that is gone tells so itself.
        let _ = self.to_line.send(what);
    }
}

#[cfg(test)]
mod tests;
