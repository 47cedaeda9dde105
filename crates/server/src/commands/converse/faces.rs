//! How a conversation by text is shown and taken in: lines of JSON for programs, a dialogue for a
//! person at a terminal.

use std::io::{BufRead, Write};

use flow::{EndReason, Secret};
use platform::CallInfo;
use serde::{Deserialize, Serialize};

use super::{Face, Heard};

/// The longest line taken from a program; longer ones are refused like malformed ones.
const LONGEST_LINE: u64 = 64 * 1024;

/// For programs.
pub struct Lines<W> {
    pub out: W,
}

impl<W: Write> Lines<W> {
    fn line(&mut self, line: &Line<'_>) -> std::io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")?;
        // A program on the other side of a pipe waits for each line.
        self.out.flush()
    }
}

/// A line out.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'l> {
    Assistant { text: &'l str },
    Transfer { mode: &'l str, agency: &'l str },
    Listening,
    Error { message: &'l str },
    End { reason: &'l str },
    Record { record: &'l CallInfo },
}

#[derive(Deserialize)]
struct SayLine {
    say: Secret<String>,
}

impl<W: Write> Face for Lines<W> {
    fn assistant(&mut self, words: &Secret<String>) -> std::io::Result<()> {
        self.line(&Line::Assistant {
            text: words.expose_secret(),
        })
    }

    fn transfer(&mut self, mode: flow::TransferMode, agency: flow::Agency) -> std::io::Result<()> {
        self.line(&Line::Transfer {
            mode: mode.as_str(),
            agency: agency.as_str(),
        })
    }

    fn listening(&mut self) -> std::io::Result<()> {
        self.line(&Line::Listening)
    }

    fn heard(&mut self, mut input: &mut dyn BufRead) -> std::io::Result<Heard> {
        const PROBLEM: &str = r#"send one JSON object a line: {"say":"…"}"#;
        let mut line = Vec::new();
        loop {
            line.clear();
            let read =
                std::io::Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(Heard::End);
            }
            if read as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
                skip_to_the_next_line(input)?;
                return Ok(Heard::Malformed("the line is too long: send less at once"));
            }
            if !line.trim_ascii().is_empty() {
                break;
            }
        }
        Ok(match serde_json::from_slice::<SayLine>(&line) {
            Ok(SayLine { say }) if say.expose_secret().trim().is_empty() => Heard::NoWords,
            Ok(SayLine { say }) => Heard::Words(say),
            Err(_) => Heard::Malformed(PROBLEM),
        })
    }

    fn malformed(&mut self, problem: &str) -> std::io::Result<()> {
        self.line(&Line::Error { message: problem })
    }

    fn over(&mut self, reason: EndReason, record: &CallInfo) -> std::io::Result<()> {
        self.line(&Line::End {
            reason: reason.as_str(),
        })?;
        self.line(&Line::Record { record })
    }
}

fn skip_to_the_next_line(input: &mut dyn BufRead) -> std::io::Result<()> {
    loop {
        let piece = input.fill_buf()?;
        if piece.is_empty() {
            return Ok(());
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(piece.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// For a person.
pub struct Terminal<W> {
    pub name: String,
    pub out: W,
}

impl<W: Write> Face for Terminal<W> {
    fn assistant(&mut self, words: &Secret<String>) -> std::io::Result<()> {
        writeln!(self.out, "{}: {}", self.name, words.expose_secret())
    }

    fn transfer(&mut self, mode: flow::TransferMode, agency: flow::Agency) -> std::io::Result<()> {
        writeln!(
            self.out,
            "  ({} transfer to {})",
            mode.as_str(),
            agency.as_str()
        )
    }

    fn listening(&mut self) -> std::io::Result<()> {
        write!(self.out, "You: ")?;
        self.out.flush()
    }

    fn heard(&mut self, input: &mut dyn BufRead) -> std::io::Result<Heard> {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(Heard::End);
        }
        let words = line.trim();
        Ok(match words.is_empty() {
            true => Heard::NoWords,
            false => Heard::Words(Secret::new(words.to_owned())),
        })
    }

    fn malformed(&mut self, problem: &str) -> std::io::Result<()> {
        writeln!(self.out, "  ({problem})")
    }

    fn over(&mut self, reason: EndReason, record: &CallInfo) -> std::io::Result<()> {
        writeln!(self.out, "  (the call is over: {})\n", reason.as_str())?;
        writeln!(
            self.out,
            "{}\n{}",
            record.listed.summary_title.expose_secret(),
            record.listed.summary.expose_secret()
        )?;
        if let Some(facts) = &record.listed.structured_data {
            writeln!(self.out, "\nurgent: {}", facts.urgent)?;
            writeln!(
                self.out,
                "transfer to: {}, transferred: {}",
                facts.transfer_to.as_str(),
                facts.transferred
            )?;
            writeln!(self.out, "name: {}", facts.name.expose_secret())?;
            writeln!(self.out, "location: {}", facts.location.expose_secret())?;
            writeln!(
                self.out,
                "latest incident: {}",
                facts.latest_incident_date.expose_secret()
            )?;
            writeln!(self.out, "follow-up: {}", facts.follow_up.expose_secret())?;
        }
        Ok(())
    }
}
