//! One utterance before one plan: the real floor and ears, in virtual time.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use speech::{
    EndOfTurnModel, FRAME_SAMPLES, MoonshineTranscriber, Opinion, SAMPLE_RATE, Secret, Standing,
    Transcriber, VoiceDetector,
};
use turn::{Command, Event, Floor, Plan, SegmentId, VOICE_FRAME};

use crate::clip::Clip;
use crate::utterance::Utterance;

/// What takes time in a call: medians of a call alone on two cores, rounded up.
const TRANSCRIPT_TAKES: Duration = Duration::from_millis(120);
const OPINION_TAKES: Duration = Duration::from_millis(60);
const REPLY_TAKES: Duration = Duration::from_millis(60);

/// Silence of the room before an utterance and after it.
const BEFORE: usize = SAMPLE_RATE as usize / 2;
const AFTER: usize = 6 * SAMPLE_RATE as usize;

/// What listens.
pub struct Ears {
    pub runtime: tokio::runtime::Runtime,
    pub transcriber: MoonshineTranscriber,
    pub model: EndOfTurnModel,
}

/// An utterance as the ears have it. What they made of it is kept, for the next plan.
pub struct Heard {
    pub kind: String,
    pub caller: String,
    pub kept_aside: bool,
    sound: Vec<i16>,
    pub pauses: Vec<Range<Duration>>,
    pub end: Duration,
    voiced: Vec<bool>,
    words: HashMap<Range<usize>, Secret<String>>,
    pub opinions: BTreeMap<(usize, usize), Opinion>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// The reply began before the caller had finished, in this pause.
    CutOff {
        pause: usize,
    },
    /// The reply began so long after the caller had finished.
    Answered {
        waited: Duration,
    },
    Unanswered,
}

impl Heard {
    pub fn of(clip: Clip, utterance: &Utterance, caller: &str, kept_aside: bool) -> Self {
        let mut sound = vec![0; BEFORE];
        sound.extend(&clip.sound);
        let end = at(sound.len());
        sound.resize(sound.len() + AFTER, 0);
        add_room(&mut sound);
        let mut detector = VoiceDetector::new();
        let (frames, _) = sound.as_chunks::<FRAME_SAMPLES>();
        let voiced = frames
            .iter()
            .map(|frame| detector.is_voice(frame))
            .collect();
        let pauses = clip.pauses.iter();
        Self {
            kind: utterance.kind.clone(),
            caller: caller.to_owned(),
            kept_aside,
            pauses: pauses
                .map(|pause| at(BEFORE + pause.start)..at(BEFORE + pause.end))
                .collect(),
            sound,
            end,
            voiced,
            words: HashMap::new(),
            opinions: BTreeMap::new(),
        }
    }
}

/// No room is without a sound; always the same.
fn add_room(sound: &mut [i16]) {
    let mut state = 1_u32;
    for sample in sound {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *sample = sample.saturating_add((state >> 29) as i16 - 4);
    }
}

fn at(samples: usize) -> Duration {
    Duration::from_secs(1) * samples as u32 / SAMPLE_RATE
}

fn samples(span: Duration) -> usize {
    (span.as_secs_f64() * f64::from(SAMPLE_RATE)).round() as usize
}

pub fn play(heard: &mut Heard, plan: &Plan, ears: &mut Ears) -> Outcome {
    let mut floor = Floor::new(plan.clone());
    floor.handle(Event::CallConnected, Duration::ZERO);
    let mut coming: BTreeMap<(Duration, u32), Event> = BTreeMap::new();
    let mut sequence = 0;
    let mut segments: HashMap<SegmentId, usize> = HashMap::new();
    let mut frames = 0;
    while frames < heard.voiced.len() {
        let frame_at = VOICE_FRAME * (frames as u32 + 1);
        let event_at = coming.keys().next().map_or(Duration::MAX, |(at, _)| *at);
        let due = floor.poll_deadline().map_or(Duration::MAX, |(due, _)| due);
        let now = frame_at.min(event_at).min(due);
        if event_at == now {
            let (_, event) = coming.pop_first().expect("it was just seen");
            floor.handle(event, now);
        } else if frame_at == now {
            let voiced = heard.voiced[frames];
            frames += 1;
            floor.handle(Event::VoiceFrame { voiced }, now);
        } else {
            floor.handle_deadline(now);
        }
        let heard_up_to = frames * FRAME_SAMPLES;
        while let Some(command) = floor.poll_command() {
            let (takes, event) = match command {
                Command::OpenSegment { segment, pre_roll } => {
                    segments.insert(segment, heard_up_to.saturating_sub(samples(pre_roll)));
                    continue;
                }
                Command::CloseSegment { segment } => {
                    let words = ears.words(heard, segments[&segment]..heard_up_to);
                    let is_final = true;
                    let event = Event::Transcribed {
                        segment,
                        words,
                        is_final,
                    };
                    (TRANSCRIPT_TAKES, event)
                }
                Command::AskWhetherFinished { segment, sound } => {
                    let from = heard_up_to.saturating_sub(samples(sound));
                    let Opinion { finished, hushed } = ears.opinion(heard, from..heard_up_to);
                    let opinion = Some(turn::Opinion { finished, hushed });
                    (OPINION_TAKES, Event::OpinionGiven { segment, opinion })
                }
                Command::PrepareReply { turn, .. } => (REPLY_TAKES, Event::ReplyPrepared { turn }),
                Command::StartReply { .. } => return outcome(heard, now),
                _ => continue,
            };
            sequence += 1;
            coming.insert((now + takes, sequence), event);
        }
    }
    Outcome::Unanswered
}

fn outcome(heard: &Heard, now: Duration) -> Outcome {
    if now >= heard.end {
        return Outcome::Answered {
            waited: now - heard.end,
        };
    }
    let begun = heard.pauses.iter().filter(|pause| pause.start <= now);
    Outcome::CutOff {
        pause: begun.count().saturating_sub(1),
    }
}

impl Ears {
    fn words(&mut self, heard: &mut Heard, span: Range<usize>) -> Secret<String> {
        let sound = &heard.sound;
        let words = heard.words.entry(span.clone()).or_insert_with(|| {
            let piece: Arc<[i16]> = sound[span].into();
            let words = self
                .runtime
                .block_on(self.transcriber.transcribe(piece, Standing::Ordinary));
            words.unwrap_or_else(|error| panic!("{error}"))
        });
        words.clone()
    }

    fn opinion(&mut self, heard: &mut Heard, span: Range<usize>) -> Opinion {
        let (sound, model) = (&heard.sound, &mut self.model);
        let key = (span.end, span.start);
        *heard.opinions.entry(key).or_insert_with(|| {
            let opinion = model.opinion(&sound[span]);
            opinion.unwrap_or_else(|error| panic!("{error}"))
        })
    }
}
