//! `GET /api/config`: what a page, or a program that starts calls, must know first.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::emergency::{EmergencyNumber, NUMBERS};

/// The embedded assistant and the squad it leads, by id.
pub const ASSISTANT_ID: &str = "helpline";
pub const SQUAD_ID: &str = "helpline-to-authorities";

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VoicePlatform {
    Embedded,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    voice_platform: VoicePlatform,
    #[schema(example = "nightlight-public")]
    public_key: String,
    #[schema(example = "helpline")]
    assistant_id: &'static str,
    #[schema(example = "helpline-to-authorities")]
    squad_id: &'static str,
    #[schema(example = "Nightlight")]
    assistant_name: String,
    /// The voice that calls are answered in; while many ring at once, some hear a lighter one.
    #[schema(example = "af_heart")]
    voice: String,
    /// For how many days a call's record is kept.
    records_kept_days: u64,
    links: Links,
    /// Whom to ring now.
    numbers: [EmergencyNumber; 4],
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
    Json(Config {
        voice_platform: VoicePlatform::Embedded,
        public_key: settings.public_key.clone(),
        assistant_id: ASSISTANT_ID,
        squad_id: SQUAD_ID,
        assistant_name: app.script.name.clone(),
        voice: app.voice.as_str().to_owned(),
        records_kept_days: settings.records_kept.as_secs() / 86_400,
        links: Links {
            feedback: settings.links.feedback.clone(),
            platform: settings.links.platform.clone(),
        },
        numbers: *NUMBERS,
    })
}
