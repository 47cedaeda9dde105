//! `GET /api/status`: how the line is, for operators. What each trouble means and what to do about it is the page's to
//! say, and `docs/operations.md`'s.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::errors::ErrorAnswer;
use crate::faults::Fault;
use crate::operator::Operator;
use crate::telemetry;
use crate::watched_ears::EarsTrouble;
use crate::watched_records::StorageTrouble;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    line: LineState,
    calls: CallsNow,
    /// How calls and written conversations of the last hour ended, the commonest first.
    ends_of_the_last_hour: Vec<Ended>,
    parts: Vec<Part>,
    /// The log's warnings and errors of the last 24 hours, the latest first.
    faults: Vec<Fault>,
    #[schema(example = "0.1.0")]
    version: &'static str,
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When this was told.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

/// Whether somebody who rings now is answered.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum LineState {
    Open,
    /// All lines are taken.
    Busy,
    Stopping,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CallsNow {
    talking: usize,
    /// Their callers may come back.
    cut_off: usize,
    waiting_to_be_joined: usize,
    free_lines: usize,
    max_calls: usize,
    written: usize,
    max_written: usize,
}

#[derive(Debug, Serialize, ToSchema)]
struct Ended {
    #[schema(example = "customer-ended-call")]
    reason: &'static str,
    count: u32,
}

#[derive(Debug, Serialize, ToSchema)]
struct Part {
    part: PartName,
    state: PartState,
    troubles: Vec<PartTrouble>,
    /// Which one it is: a voice's name, or addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum PartName {
    Ears,
    Voice,
    Reader,
    Records,
    ChatModel,
    MediaAddress,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum PartState {
    Well,
    /// Callers are served, and less well.
    Limited,
    Failing,
    /// Not set.
    Off,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum PartTrouble {
    EarsBusy,
    EarsFailing,
    /// New calls are answered in a lighter voice.
    VoiceBusy,
    /// The voice that was asked for cannot be had.
    VoiceMissing,
    /// The trained reader's weights are not there.
    RulesAlone,
    RecordsNotStored,
    RecordsNotRead,
    /// Their database could not be opened.
    RecordsKeptAside,
    /// It has failed of late; replies are the flow's own.
    ChatModelFailing,
    /// Callers of other machines are told to send their sound to this machine alone.
    MediaOnlyHere,
}

impl PartTrouble {
    fn makes_it(self) -> PartState {
        match self {
            Self::EarsFailing
            | Self::RecordsNotStored
            | Self::RecordsNotRead
            | Self::RecordsKeptAside
            | Self::MediaOnlyHere => PartState::Failing,
            Self::EarsBusy
            | Self::VoiceBusy
            | Self::VoiceMissing
            | Self::RulesAlone
            | Self::ChatModelFailing => PartState::Limited,
        }
    }
}

/// How the line is: calls, lines, parts, and what went wrong of late. For operators: from the machine itself, or with the
/// operator's key.
#[utoipa::path(
    get,
    path = "/api/status",
    tag = "operations",
    responses(
        (status = 200, body = Status),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`operators-only`: no operator_key is set")
    ),
    security((), ("key" = []))
)]
pub async fn status(_: Operator, State(app): State<App>) -> Json<Status> {
    let calls = app.switchboard.calls_by_state();
    let free_lines = app.switchboard.free_lines();
    let line = match (app.stopping.is_cancelled(), free_lines) {
        (true, _) => LineState::Stopping,
        (false, 0) => LineState::Busy,
        (false, _) => LineState::Open,
    };
    let ends = app.ends.of_the_last_hour().into_iter();
    let now = Timestamp::now();
    Json(Status {
        line,
        calls: CallsNow {
            talking: calls.talking,
            cut_off: calls.cut_off,
            waiting_to_be_joined: app.lines.waiting(),
            free_lines,
            max_calls: app.settings.max_calls,
            written: app.written.live(),
            max_written: app.settings.written.most,
        },
        ends_of_the_last_hour: ends
            .map(|(reason, count)| Ended { reason, count })
            .collect(),
        parts: vec![
            ears(&app),
            voice(&app),
            reader(&app),
            records(&app),
            chat_model(&app),
            media_address(&app),
        ],
        faults: telemetry::faults().of_late(now),
        version: env!("CARGO_PKG_VERSION"),
        started_at: app.started_at,
        at: now,
    })
}

fn part(part: PartName, troubles: Vec<PartTrouble>, detail: Option<String>) -> Part {
    let states = troubles.iter().map(|trouble| trouble.makes_it());
    let state = states.fold(PartState::Well, |worst, state| match (worst, state) {
        (PartState::Failing, _) | (_, PartState::Failing) => PartState::Failing,
        (_, state) => state,
    });
    Part {
        part,
        state,
        troubles,
        detail,
    }
}

fn ears(app: &App) -> Part {
    let trouble = app.ears.trouble().map(|trouble| match trouble {
        EarsTrouble::Busy => PartTrouble::EarsBusy,
        EarsTrouble::Failing => PartTrouble::EarsFailing,
    });
    part(PartName::Ears, trouble.into_iter().collect(), None)
}

fn voice(app: &App) -> Part {
    let wanted = match &app.settings.voice.remote {
        Some(elsewhere) => elsewhere.voice.as_str(),
        None => app.settings.voice.name.as_str(),
    };
    let missing = (app.voice.as_str() != wanted).then_some(PartTrouble::VoiceMissing);
    let busy = (!app.first_voice.has_room()).then_some(PartTrouble::VoiceBusy);
    let name = app.voice.as_str().to_owned();
    part(
        PartName::Voice,
        missing.into_iter().chain(busy).collect(),
        Some(name),
    )
}

fn reader(app: &App) -> Part {
    let trouble = (!app.reader.is_whole()).then_some(PartTrouble::RulesAlone);
    part(PartName::Reader, trouble.into_iter().collect(), None)
}

fn records(app: &App) -> Part {
    let troubles = app
        .storage
        .troubles()
        .into_iter()
        .map(|trouble| match trouble {
            StorageTrouble::NotStored => PartTrouble::RecordsNotStored,
            StorageTrouble::NotRead => PartTrouble::RecordsNotRead,
            StorageTrouble::KeptAside => PartTrouble::RecordsKeptAside,
        });
    part(PartName::Records, troubles.collect(), None)
}

fn chat_model(app: &App) -> Part {
    let Some(model) = &app.chat_model else {
        return Part {
            part: PartName::ChatModel,
            state: PartState::Off,
            troubles: Vec::new(),
            detail: None,
        };
    };
    let trouble = model
        .is_left_alone()
        .then_some(PartTrouble::ChatModelFailing);
    part(PartName::ChatModel, trouble.into_iter().collect(), None)
}

fn media_address(app: &App) -> Part {
    let addresses = app.media.addresses();
    let only_here = !addresses.iter().any(|it| !it.ip().is_loopback());
    let trouble = (only_here && is_for_other_machines(app)).then_some(PartTrouble::MediaOnlyHere);
    let told: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    let told = told.join(", ");
    part(
        PartName::MediaAddress,
        trouble.into_iter().collect(),
        Some(told),
    )
}

/// By https, or at another address than this machine's own.
fn is_for_other_machines(app: &App) -> bool {
    app.settings.is_reached_by_https() || !app.settings.listen.ip().is_loopback()
}
