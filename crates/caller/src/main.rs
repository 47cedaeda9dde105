//! `nightlight-caller`: a scripted caller over real media, for tests and for load.
//!
//! It calls a running server as a browser does — configuration, `POST /call/web`, WHIP or the raw
//! PCM socket —, says what its script or a program says, listens, and reports timings measured from the audio
//! that it received. It exits with 1 if a call failed and with 2 if it was given something wrong.
//!
//! | question | module |
//! |---|---|
//! | what is the caller to do? | [`script`], or a program: [`respondent`]; and when: [`director`] |
//! | how is a call placed? | [`place`] |
//! | how does media travel? | [`line`]: [`media_webrtc`], [`media_socket`] |
//! | what is said, and on which clock? | [`clip`], [`mouth`] |
//! | what was heard, and when? | [`ear`], [`sound`], [`transcript`] |
//! | how long did it take? | [`measure`] |
//! | one call, joined | [`one_call`] |
//! | what is told | [`report`], [`recording`] |
//! | how is a caller handed to a duty officer, and how soon? | [`hand_over`] |

mod clip;
mod director;
mod ear;
mod hand_over;
mod line;
mod measure;
mod media_socket;
mod media_webrtc;
mod mouth;
mod one_call;
mod place;
mod recording;
mod report;
mod respondent;
mod script;
mod sound;
mod transcript;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use reqwest::Url;
use tokio::task::JoinSet;

use crate::clip::Clip;
use crate::director::Patience;
use crate::media_webrtc::OwnLoss;
use crate::one_call::Plan;
use crate::place::TransportKind;
use crate::report::Report;
use crate::respondent::Responding;
use crate::script::Step;
use crate::sound::Threshold;
use crate::transcript::Listener;

/// A scripted caller: places real calls and reports what it heard.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The server.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: Url,
    /// How media travels.
    #[arg(long, value_enum, default_value = "webrtc")]
    transport: TransportKind,
    /// WAV files (or texts), each said once the assistant has finished speaking.
    #[arg(long, num_args = 1.., conflicts_with = "script")]
    say: Vec<String>,
    /// Steps as JSON lines (or TOML, if named .toml): {"say": "text or file.wav"}, {"wait": 2},
    /// {"barge_in_after": 1.5, "say": "stop"}, {"send": {…app message…}}, {"hang_up": true}.
    #[arg(long)]
    script: Option<PathBuf>,
    /// A program (for the shell) that answers what the caller hears: for each turn of the assistant it
    /// reads one line {"heard": "…"} and writes one: {"say": "text"}, {"wait": 2} or {"hang_up": true}.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["say", "script"])]
    respond: Option<String>,
    /// The voice that speaks texts: slt, rms, awb or kal.
    #[arg(long, default_value = "rms")]
    voice: String,
    /// Calls to place at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    calls: u16,
    /// Seconds between the starts of two calls.
    #[arg(long, default_value_t = 0.1, value_parser = seconds)]
    stagger: f64,
    /// Instead of all this: so many callers at risk, one after another, each handed to the officer whose desk's cookie stands in
    /// NIGHTLIGHT_DESK_COOKIE; the times as JSON lines.
    #[arg(long, value_name = "N", conflicts_with_all = ["say", "script", "respond"], value_parser = clap::value_parser!(u16).range(1..=1000))]
    hand_overs: Option<u16>,
    /// Seconds that each of these calls is held by two, by three of whom the officer listens, and by three of whom caller and
    /// officer speak. With 0 only the times are told, and callers are greeted while others are handed over.
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    talk: f64,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
    /// Write what was heard (WAV) and what happened (JSON lines) there, one of each a call.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Percentage of its own datagrams that the caller loses on purpose (WebRTC only).
    #[arg(long, default_value_t = 0.0, value_parser = percent)]
    loss: f64,
    /// Which datagrams are lost: the same seed loses the same ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Transcribe what was heard with the embedded engine.
    #[arg(long)]
    transcribe: bool,
    /// Where the embedded engine is, if not where `make setup` puts it.
    #[arg(long, value_name = "DIR")]
    engine: Option<PathBuf>,
    /// Seconds after which a call is given up.
    #[arg(long, default_value_t = 300.0, value_parser = seconds)]
    bound: f64,
    /// Seconds within which media must connect.
    #[arg(long, default_value_t = 15.0, value_parser = seconds)]
    connect_within: f64,
    /// Seconds of silence after which the assistant has finished speaking.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    quiet_after: f64,
    /// Seconds without a reply after which it counts as missing.
    #[arg(long, default_value_t = 15.0, value_parser = seconds)]
    reply_within: f64,
    /// Seconds that the assistant has to end the call after its last words.
    #[arg(long, default_value_t = 4.0, value_parser = seconds)]
    linger: f64,
    /// Seconds within which the record must be filled after the call's end.
    #[arg(long, default_value_t = 15.0, value_parser = seconds)]
    record_within: f64,
    /// The level above which the assistant is heard, of a full scale of 1.
    #[arg(long, default_value_t = 0.01, value_parser = level)]
    level: f32,
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, 0.0, 86_400.0, "seconds")
}

fn percent(text: &str) -> Result<f64, String> {
    within(text, 0.0, 100.0, "a percentage")
}

fn level(text: &str) -> Result<f32, String> {
    within(text, 0.0001, 1.0, "a level").map(|level| level as f32)
}

fn within(text: &str, least: f64, most: f64, what: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (least..=most).contains(value))
        .ok_or_else(|| format!("give {what} from {least} to {most}"))
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(report) if report.has_failed() => ExitCode::from(1),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nightlight-caller: {error:#}");
            ExitCode::from(2)
        }
    }
}

#[tokio::main]
async fn run(arguments: Arguments) -> anyhow::Result<Report> {
    if let Some(hand_overs) = arguments.hand_overs {
        hand_over::measure(hand_over::Asked {
            origin: arguments.url,
            http: place::client()?,
            cookie: std::env::var("NIGHTLIGHT_DESK_COOKIE").context(
                "set NIGHTLIGHT_DESK_COOKIE to the cookie of an officer who is signed in",
            )?,
            hand_overs,
            talk: Duration::from_secs_f64(arguments.talk),
        })
        .await?;
        return Ok(Report::of(Vec::new()));
    }
    let json = arguments.json;
    let calls = arguments.calls;
    let stagger = Duration::from_secs_f64(arguments.stagger);
    let plan = Arc::new(prepare(arguments).await?);

    let mut placed = JoinSet::new();
    for number in 1..=usize::from(calls) {
        let plan = Arc::clone(&plan);
        placed.spawn(async move {
            tokio::time::sleep(stagger * (number as u32 - 1)).await;
            one_call::place(&plan, number).await
        });
    }
    let mut reports = Vec::new();
    while let Some(report) = placed.join_next().await {
        reports.push(report.context("a call's task came to an unexpected end")?);
    }
    reports.sort_by_key(|report| report.call);
    let report = Report::of(reports);
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", report.text());
    }
    Ok(report)
}

async fn prepare(arguments: Arguments) -> anyhow::Result<Plan> {
    let threshold = Threshold {
        level: arguments.level,
        ..Threshold::default()
    };
    let (steps, directory) = match &arguments.script {
        Some(path) => {
            let steps =
                script::read(path).with_context(|| format!("the script {}", path.display()))?;
            (steps, path.parent().map(Path::to_owned).unwrap_or_default())
        }
        None => (said_in_turn(&arguments.say), PathBuf::new()),
    };
    let voice = speech::FliteVoice::named(&arguments.voice)?;
    // What it says itself is measured by one level, whatever the assistant is heard by.
    let clips = clips(&steps, &directory, &voice, Threshold::default()).await?;
    let respond = arguments.respond.map(|command| Responding {
        command,
        voice,
        threshold,
    });
    let listener = arguments
        .transcribe
        .then(|| Listener::load(arguments.engine.as_deref()))
        .transpose()?;
    Ok(Plan {
        origin: arguments.url,
        http: place::client()?,
        transport: arguments.transport,
        steps,
        respond,
        clips,
        room_tone: Arc::new(Clip::room_tone()?),
        threshold,
        patience: Patience {
            quiet_after: Duration::from_secs_f64(arguments.quiet_after),
            reply_within: Duration::from_secs_f64(arguments.reply_within),
            linger: Duration::from_secs_f64(arguments.linger),
        },
        bound: Duration::from_secs_f64(arguments.bound),
        connect_within: Duration::from_secs_f64(arguments.connect_within),
        record_within: Duration::from_secs_f64(arguments.record_within),
        loss: (arguments.loss > 0.0).then_some(OwnLoss {
            share: arguments.loss / 100.0,
            seed: arguments.seed,
        }),
        record_to: arguments.record,
        listener,
    })
}

fn said_in_turn(say: &[String]) -> Vec<Step> {
    say.iter()
        .map(|words| Step::Say {
            words: words.clone(),
            at_once: false,
        })
        .collect()
}

/// One for each utterance: read if it names a WAV file, spoken otherwise.
async fn clips(
    steps: &[Step],
    directory: &Path,
    voice: &speech::FliteVoice,
    threshold: Threshold,
) -> anyhow::Result<Vec<Arc<Clip>>> {
    let mut clips = Vec::new();
    for step in steps {
        let (Step::Say { words, .. } | Step::BargeIn { words, .. }) = step else {
            continue;
        };
        let clip = if words.to_ascii_lowercase().ends_with(".wav") {
            Clip::from_wav(&directory.join(words), threshold)?
        } else {
            Clip::spoken(words, voice, threshold).await?
        };
        clips.push(Arc::new(clip));
    }
    Ok(clips)
}
