//! A program that decides what the caller does next: for each turn of the assistant it is given one
//! JSON line, `{"heard": "…"}`, and writes one back: `{"say": "…"}`, `{"wait": 2}` or
//! `{"hang_up": true}`.
//!
//! It is asked and its words are spoken in a task of its own, so that frames keep their time. When
//! it is asked is decided by [`crate::director`].

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use speech::FliteVoice;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::clip::{Clip, ClipError};
use crate::script::{self, Step};
use crate::sound::Threshold;

/// A program that thinks for longer hangs: callers are not known to be silent for so long.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// An answer is a sentence or two.
const LONGEST_ANSWER_BYTES: u64 = 64 * 1024;
/// A program whose output has ended is about to end too.
const END_WITHIN: Duration = Duration::from_secs(1);

/// The program, and how its words sound.
#[derive(Debug, Clone)]
pub struct Responding {
    /// For the shell.
    pub command: String,
    pub voice: FliteVoice,
    pub threshold: Threshold,
}

/// What the program wants done, ready to be said if it is to be said.
#[derive(Debug)]
pub struct Answer {
    pub step: Step,
    pub clip: Option<Arc<Clip>>,
}

#[derive(Debug, thiserror::Error)]
pub enum RespondError {
    #[error("`{command}` could not be started ({source})")]
    NotStarted {
        command: String,
        source: std::io::Error,
    },
    #[error("the program that answers ended ({0}) when it was asked")]
    Ended(String),
    #[error(
        "the program that answers wrote {line:?} ({problem}): it has to write {{\"say\": \"…\"}}, \
         {{\"wait\": 2}} or {{\"hang_up\": true}}"
    )]
    Nonsense { line: String, problem: String },
    #[error("the program that answers wrote nothing within {} s", .0.as_secs())]
    Late(Duration),
    #[error("what the program that answers wrote cannot be said: {0}")]
    Unspeakable(#[from] ClipError),
}

/// The running program of one call. Dropping it ends the program.
#[derive(Debug)]
pub struct Respondent {
    heard: mpsc::UnboundedSender<String>,
    answers: mpsc::UnboundedReceiver<Result<Answer, RespondError>>,
}

impl Respondent {
    pub fn start(with: &Responding) -> Result<Self, RespondError> {
        let not_started = |source| RespondError::NotStarted {
            command: with.command.clone(),
            source,
        };
        let mut program = Command::new("sh")
            .args(["-c", &with.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(not_started)?;
        let (Some(to), Some(from)) = (program.stdin.take(), program.stdout.take()) else {
            return Err(not_started(std::io::ErrorKind::BrokenPipe.into()));
        };
        let (heard, asked) = mpsc::unbounded_channel();
        let (answered, answers) = mpsc::unbounded_channel();
        let exchange = Exchange::new(to, from);
        let task = answer_all(program, exchange, with.clone(), asked, answered);
        tokio::spawn(task);
        Ok(Self { heard, answers })
    }

    pub fn ask(&self, heard: String) {
        // If the task is gone, its last answer was an error and ends the call.
        let _ = self.heard.send(heard);
    }

    /// The next answer. Nothing is lost if the future is dropped.
    pub async fn answer(&mut self) -> Result<Answer, RespondError> {
        match self.answers.recv().await {
            Some(answer) => answer,
            // The error was told: there is nothing more to come.
            None => std::future::pending().await,
        }
    }
}

async fn answer_all(
    mut program: Child,
    mut exchange: Exchange<impl AsyncWrite + Unpin, impl AsyncRead + Unpin>,
    with: Responding,
    mut asked: mpsc::UnboundedReceiver<String>,
    answered: mpsc::UnboundedSender<Result<Answer, RespondError>>,
) {
    while let Some(heard) = asked.recv().await {
        let answer = match exchange.next(&heard).await {
            Ok(step) => spoken(step, &with).await,
            Err(RespondError::Ended(why)) => Err(RespondError::Ended(
                match timeout(END_WITHIN, program.wait()).await {
                    Ok(Ok(status)) => status.to_string(),
                    _ => why,
                },
            )),
            Err(error) => Err(error),
        };
        let failed = answer.is_err();
        if answered.send(answer).is_err() || failed {
            return;
        }
    }
}

async fn spoken(step: Step, with: &Responding) -> Result<Answer, RespondError> {
    let clip = match &step {
        Step::Say { words, .. } => Some(Arc::new(
            Clip::spoken(words, &with.voice, with.threshold).await?,
        )),
        _ => None,
    };
    Ok(Answer { step, clip })
}

/// The two pipes of a program, whatever they are made of.
struct Exchange<W, R> {
    to: W,
    from: BufReader<R>,
}

impl<W: AsyncWrite + Unpin, R: AsyncRead + Unpin> Exchange<W, R> {
    fn new(to: W, from: R) -> Self {
        Self {
            to,
            from: BufReader::new(from),
        }
    }

    async fn next(&mut self, heard: &str) -> Result<Step, RespondError> {
        timeout(ANSWER_WITHIN, self.exchange(heard))
            .await
            .unwrap_or(Err(RespondError::Late(ANSWER_WITHIN)))
    }

    async fn exchange(&mut self, heard: &str) -> Result<Step, RespondError> {
        let ended = |error: std::io::Error| RespondError::Ended(error.to_string());
        let question = format!("{}\n", json!({ "heard": heard }));
        self.to
            .write_all(question.as_bytes())
            .await
            .map_err(ended)?;
        self.to.flush().await.map_err(ended)?;
        let mut line = Vec::new();
        (&mut self.from)
            .take(LONGEST_ANSWER_BYTES)
            .read_until(b'\n', &mut line)
            .await
            .map_err(ended)?;
        if line.is_empty() {
            return Err(RespondError::Ended(String::from("its output ended")));
        }
        step_in(&String::from_utf8_lossy(&line))
    }
}

/// A step that can be an answer: barging in and app messages belong to scripts.
fn step_in(line: &str) -> Result<Step, RespondError> {
    let line = line.trim();
    let problem = match script::from_json_line(line) {
        Ok(step @ (Step::Say { .. } | Step::Wait { .. } | Step::HangUp)) => return Ok(step),
        Ok(Step::BargeIn { .. } | Step::Send { .. }) => String::from("that is for scripts only"),
        Err(problem) => problem,
    };
    Err(RespondError::Nonsense {
        line: line.chars().take(200).collect(),
        problem,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tokio::io::{DuplexStream, duplex, split};

    use super::*;

    /// An exchange with a program played by the test, which reads and writes the other end.
    fn exchange() -> (
        Exchange<impl AsyncWrite + Unpin, impl AsyncRead + Unpin>,
        DuplexStream,
    ) {
        let (ours, theirs) = duplex(4_096);
        let (from, to) = split(ours);
        (Exchange::new(to, from), theirs)
    }

    async fn answered_with(answer: &[u8]) -> Result<Step, RespondError> {
        let (mut exchange, mut program) = exchange();
        program.write_all(answer).await.unwrap();
        exchange.next("Hello.").await
    }

    #[tokio::test(start_paused = true)]
    async fn one_line_goes_out_and_one_step_comes_back() {
        let (mut exchange, program) = exchange();
        let mut program = BufReader::new(program);
        program
            .write_all(b"{\"say\": \"yes\"}\n{\"wait\": 2}\n{\"hang_up\": true}\n")
            .await
            .unwrap();
        let said = exchange.next("He said \"hello\".\nAre you safe?").await;
        let mut question = String::new();
        program.read_line(&mut question).await.unwrap();
        assert_eq!(
            question,
            "{\"heard\":\"He said \\\"hello\\\".\\nAre you safe?\"}\n"
        );
        let yes = Step::Say {
            words: String::from("yes"),
            at_once: false,
        };
        assert_eq!(said.unwrap(), yes);
        assert_eq!(
            exchange.next("").await.unwrap(),
            Step::Wait { seconds: 2.0 }
        );
        assert_eq!(exchange.next("").await.unwrap(), Step::HangUp);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_no_answer_is_refused_with_its_words_and_the_remedy() {
        for (nonsense, expected) in [
            ("yes\n", "\"yes\""),
            ("{\"sya\": \"yes\"}\n", "sya"),
            ("{\"say\": \" \"}\n", "empty"),
            ("{\"send\": \"playable\"}\n", "scripts only"),
            ("\n", "{\"hang_up\": true}"),
        ] {
            let error = answered_with(nonsense.as_bytes()).await.unwrap_err();
            assert!(matches!(error, RespondError::Nonsense { .. }));
            assert!(error.to_string().contains(expected), "{error}");
        }
        assert!(answered_with(b"\xff\n").await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_program_that_does_not_answer_is_given_up() {
        let (mut exchange, _program) = exchange();
        let error = exchange.next("Hello.").await.unwrap_err();
        assert!(matches!(error, RespondError::Late(_)), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_without_a_line_is_refused() {
        let (mut exchange, mut program) = exchange();
        let flood = tokio::spawn(async move {
            let _ = program.write_all(&[b'a'; 100_000]).await;
            // An end of its output would be an end of the line.
            std::future::pending::<()>().await;
        });
        let error = exchange.next("Hello.").await.unwrap_err();
        assert!(matches!(error, RespondError::Nonsense { .. }), "{error}");
        flood.abort();
    }

    fn responding(command: &str) -> Responding {
        Responding {
            command: command.to_owned(),
            voice: FliteVoice::named("rms").unwrap(),
            threshold: Threshold::default(),
        }
    }

    #[tokio::test]
    async fn what_a_program_says_is_ready_to_be_said() {
        let program = responding("read heard; echo '{\"say\": \"yes\"}'; cat");
        let mut respondent = Respondent::start(&program).unwrap();
        respondent.ask(String::from("Are you safe?"));
        let answer = respondent.answer().await.unwrap();
        assert_eq!(answer.clip.unwrap().label, "yes");
    }

    #[tokio::test]
    async fn a_program_that_failed_is_told_with_its_status() {
        let mut respondent = Respondent::start(&responding("exit 3")).unwrap();
        respondent.ask(String::from("Are you safe?"));
        let error = respondent.answer().await.unwrap_err();
        assert!(error.to_string().contains("exit status: 3"), "{error}");
    }
}
