//! `GET /api/config`: what a page, or a program that starts calls, must know first.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::emergency::{EmergencyNumber, NUMBERS};
use crate::settings::{HostedTarget, Settings};

/// The embedded assistant and the squad it leads, by id: the names of their files.
pub const ASSISTANT_ID: &str = "helpline";
pub const SQUAD_ID: &str = "helpline-to-authorities";

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VoicePlatform {
    /// Calls are held here.
    Embedded,
    /// They are held at `platformUrl`.
    Hosted,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    voice_platform: VoicePlatform,
    /// Where a call is asked for, if not here: the base of `POST /call/web`.
    #[schema(example = "https://api.vapi.ai")]
    platform_url: Option<String>,
    /// What a call is asked for with.
    #[schema(example = "nightlight-public")]
    public_key: String,
    /// Empty where a squad of the hosted platform answers.
    #[schema(example = "helpline")]
    assistant_id: String,
    /// Empty where an assistant of the hosted platform answers alone.
    #[schema(example = "helpline-to-authorities")]
    squad_id: String,
    written: Written,
    #[schema(example = "Nightlight")]
    assistant_name: String,
    /// The voice that calls are answered in; while many ring at once, some hear a lighter one.
    #[schema(example = "af_heart")]
    voice: String,
    /// For how many days a call's record is kept.
    records_kept_days: u64,
    links: Links,
    /// Whether a page may tell of its own failures, by `POST /api/page-fault`.
    error_reporting: bool,
    /// Whom to ring now.
    numbers: [EmergencyNumber; 4],
}

/// What a written conversation is begun with. It is held here, wherever calls are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Written {
    #[schema(example = "nightlight-public")]
    public_key: String,
    #[schema(example = "helpline")]
    assistant_id: &'static str,
    #[schema(example = "helpline-to-authorities")]
    squad_id: &'static str,
}

/// What calls are asked for with, and where.
struct CallsBy {
    voice_platform: VoicePlatform,
    platform_url: Option<String>,
    public_key: String,
    assistant_id: String,
    squad_id: String,
}

impl CallsBy {
    fn of(settings: &Settings) -> Self {
        let Some(hosted) = &settings.hosted_platform.calls else {
            return Self {
                voice_platform: VoicePlatform::Embedded,
                platform_url: None,
                public_key: settings.public_key.clone(),
                assistant_id: ASSISTANT_ID.to_owned(),
                squad_id: SQUAD_ID.to_owned(),
            };
        };
        let (assistant_id, squad_id) = match hosted.target.clone() {
            HostedTarget::Assistant(id) => (id, String::new()),
            HostedTarget::Squad(id) => (String::new(), id),
        };
        Self {
            voice_platform: VoicePlatform::Hosted,
            platform_url: Some(settings.hosted_platform.url.base()),
            public_key: hosted.public_key.clone(),
            assistant_id,
            squad_id,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
struct Links {
    feedback: String,
    platform: String,
}

/// What a page needs to start a call. Sets the visitor's session cookie.
#[utoipa::path(get, path = "/api/config", tag = "page", responses((status = 200, body = Config)))]
pub async fn config(State(app): State<App>) -> Json<Config> {
    let settings = &app.settings;
    let calls = CallsBy::of(settings);
    Json(Config {
        voice_platform: calls.voice_platform,
        platform_url: calls.platform_url,
        public_key: calls.public_key,
        assistant_id: calls.assistant_id,
        squad_id: calls.squad_id,
        written: Written {
            public_key: settings.public_key.clone(),
            assistant_id: ASSISTANT_ID,
            squad_id: SQUAD_ID,
        },
        assistant_name: app.script.name.clone(),
        voice: app.voice.as_str().to_owned(),
        records_kept_days: settings.records_kept.as_secs() / 86_400,
        links: Links {
            feedback: settings.links.feedback.clone(),
            platform: settings.links.platform.clone(),
        },
        error_reporting: settings.error_reporting.is_some(),
        numbers: *NUMBERS,
    })
}
