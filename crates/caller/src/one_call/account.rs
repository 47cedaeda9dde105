//! What one call amounted to: its report, and what is kept of it on disk.

use std::time::Duration;

use super::{Conversation, Plan, seconds};
use crate::measure::{millis, reactions};
use crate::mouth::Said;
use crate::recording;
use crate::report::{Audio, CallReport, End, EndedBy, Transcribed, Utterance};
use crate::sound::{Span, to_time};

impl Conversation<'_> {
    /// Everything that was seen of the call, measured.
    pub(super) fn report(&mut self, started: Duration, report: &mut CallReport) {
        let since_start = |time: Duration| millis(time.saturating_sub(started));
        let heard: Vec<Span> = self.ear.heard().cloned().collect();
        let (ended_by, ended_at) = self.ended.unwrap_or((EndedBy::MediaLost, self.clock.now()));
        report.connected = self.connected_at.is_some();
        report.setup.connected_ms = self.connected_at.map(since_start);
        report.setup.first_packet_ms = self.ear.first_packet().map(since_start);
        report.setup.greeting_ms = heard.first().map(|span| since_start(to_time(span.start)));
        report.duration_seconds =
            seconds(ended_at.saturating_sub(self.connected_at.unwrap_or(ended_at)));
        report.end = Some(End {
            by: ended_by,
            reason: self.end_reason.take(),
        });
        report.unsaid = self
            .talking
            .as_ref()
            .map_or(self.plan.clips.len(), |talking| talking.director.unsaid());
        report.utterances = self.utterances(&heard);
        report.audio = self.audio(&heard);
        report.captions = std::mem::take(&mut self.captions);
        report.messages = std::mem::take(&mut self.messages);
        if report.connected && heard.is_empty() {
            self.failures
                .push(String::from("the assistant was never heard"));
        }
        match ended_by {
            EndedBy::MediaLost if report.connected => {
                self.failures
                    .push(String::from("media was lost during the call"));
            }
            EndedBy::Server => self.unanswered_at_the_end(&report.utterances),
            _ => {}
        }
        report.failures.append(&mut self.failures);
    }

    /// An assistant that ends the call owes the caller's last words an answer first.
    fn unanswered_at_the_end(&mut self, utterances: &[Utterance]) {
        if let Some(last) = utterances.last()
            && last.reaction.reply_gap_ms.is_none()
            && !last.reaction.assistant_interrupted
        {
            self.failures.push(format!(
                "the call ended without a reply to utterance {}",
                utterances.len()
            ));
        }
    }

    fn utterances(&self, heard: &[Span]) -> Vec<Utterance> {
        let said: Vec<Said> = self.said.iter().map(|&(_, _, said)| said).collect();
        reactions(&said, heard, self.ear.stretch_starts())
            .into_iter()
            .zip(&self.said)
            .map(|(reaction, &(utterance, kind, said))| Utterance {
                says: self.clips[utterance].label.clone(),
                kind,
                from_seconds: seconds(said.voice_start),
                to_seconds: seconds(said.voice_end),
                reaction,
            })
            .collect()
    }

    fn audio(&self, heard: &[Span]) -> Audio {
        let counts = self.line.counts();
        let mouth = self.talking.as_ref().map(|talking| &talking.mouth);
        Audio {
            packets_received: self.ear.packets(),
            packets_lost: counts.lost_packets,
            packets_late: self.ear.late_packets(),
            concealed_ms: millis(self.ear.concealed()),
            packets_sent: mouth.map_or(0, |mouth| u64::from(mouth.frames_sent())),
            dropped_on_purpose: counts.dropped_on_purpose,
            caller_lateness_ms: mouth.map_or(0.0, |mouth| millis(mouth.pace().worst_lateness())),
            speech_heard_seconds: heard
                .iter()
                .map(|span| seconds(to_time(span.end - span.start)))
                .sum(),
            speech_spans_seconds: heard
                .iter()
                .map(|span| (seconds(to_time(span.start)), seconds(to_time(span.end))))
                .collect(),
        }
    }

    /// Transcribes and writes to disk what was asked for.
    pub(super) async fn keep(&mut self, plan: &Plan, number: usize, report: &mut CallReport) {
        let heard = self.ear.recording().unwrap_or_default();
        if let Some(listener) = &plan.listener {
            let mut transcribed = Vec::new();
            for span in self.ear.heard() {
                match listener.words_in(heard, span).await {
                    Ok(words) => transcribed.push(Transcribed {
                        at_seconds: seconds(to_time(span.start)),
                        words,
                    }),
                    Err(error) => report.failures.push(error.to_string()),
                }
            }
            report.transcribed = Some(transcribed);
        }
        if let Some(directory) = &plan.record_to {
            let written = recording::write(directory, number, heard, &self.log.events);
            if let Err(error) = written {
                report.failures.push(error.to_string());
            }
        }
    }
}
