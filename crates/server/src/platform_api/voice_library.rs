//! `/voice-library`: the voices that are installed, by provider. Which of them callers hear is a setting.

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use platform::resource::{FoundVoice, LibraryVoice, VoiceGender};
use serde::Deserialize;
use utoipa::IntoParams;

use super::kept::Id;
use super::list_query::{Asked, ListQuery};
use super::web_call::ORGANISATION;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::settings::VoiceName;
use crate::voices;

/// Whose voices this program knows. The names are those that a call's answer names its voice's provider by.
const PROVIDERS: [&str; 4] = ["kokoro", "piper", "flite", "openai"];

/// Which voices.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Those with this accent: `American`, `British` or `Scottish`.
    accent: Option<String>,
    /// `male` or `female`.
    gender: Option<String>,
    /// Those that speak it: `en`.
    language: Option<String>,
}

/// The voices of a provider that are installed: `kokoro`, `piper`, `flite`, and `openai` for one that is made elsewhere.
#[utoipa::path(
    get,
    path = "/voice-library/{provider}",
    operation_id = "list_voices",
    tag = "platform",
    params(("provider" = String, Path, description = "Whose"), Which, ListQuery),
    responses(
        (status = 200, body = [LibraryVoice]),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`: no provider of this server's")
    ),
    security(("key" = []))
)]
pub async fn list(
    State(app): State<App>,
    _: PrivateKey,
    Id(provider): Id,
    Asked(which): Asked<Which>,
    Asked(query): Asked<ListQuery>,
) -> Result<Json<Vec<LibraryVoice>>, ApiError> {
    let wanted = query.wanted()?;
    let installed = installed(&app, &provider).await?;
    let is_wanted = |voice: &LibraryVoice| {
        let agrees = |asked: &Option<String>, with: Option<&str>| {
            let asked = asked.as_ref();
            asked.is_none_or(|asked| with.is_some_and(|with| asked.eq_ignore_ascii_case(with)))
        };
        agrees(&which.accent, voice.accent.as_deref())
            && agrees(&which.language, Some(&voice.language_code))
            && agrees(&which.gender, voice.gender.map(VoiceGender::as_str))
            && wanted.created.holds(voice.created_at)
            && wanted.updated.holds(voice.updated_at)
    };
    let voices = installed.into_iter().filter(is_wanted);
    Ok(Json(voices.take(wanted.most as usize).collect()))
}

/// The accents of a provider's voices that are installed.
#[utoipa::path(
    get,
    path = "/voice-library/{provider}/accents",
    operation_id = "list_accents",
    tag = "platform",
    params(("provider" = String, Path, description = "Whose")),
    responses(
        (status = 200, body = [String]),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`: no provider of this server's")
    ),
    security(("key" = []))
)]
pub async fn accents(
    State(app): State<App>,
    _: PrivateKey,
    Id(provider): Id,
) -> Result<Json<Vec<String>>, ApiError> {
    let installed = installed(&app, &provider).await?;
    let accents = installed.into_iter().filter_map(|voice| voice.accent);
    let mut accents: Vec<String> = accents.collect();
    accents.sort();
    accents.dedup();
    Ok(Json(accents))
}

/// Which of a provider's voices.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Named {
    /// Those with this in their name or their id; all where it is left out.
    name: Option<String>,
}

/// The voices of a provider that are installed, by their name.
#[utoipa::path(
    get,
    path = "/{provider}/voices/search",
    operation_id = "search_voices",
    tag = "platform",
    params(("provider" = String, Path, description = "Whose"), Named),
    responses(
        (status = 200, body = [FoundVoice]),
        (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`: no provider of this server's")
    ),
    security(("key" = []))
)]
pub async fn search(
    State(app): State<App>,
    _: PrivateKey,
    Id(provider): Id,
    Asked(named): Asked<Named>,
) -> Result<Json<Vec<FoundVoice>>, ApiError> {
    let wanted = named.name.unwrap_or_default().to_lowercase();
    let installed = installed(&app, &provider).await?;
    let found = installed.into_iter().filter(|voice| {
        let names = [&voice.name, &voice.provider_id];
        names
            .iter()
            .any(|name| name.to_lowercase().contains(&wanted))
    });
    Ok(Json(found.map(FoundVoice::from).collect()))
}

async fn installed(app: &App, provider: &str) -> Result<Vec<LibraryVoice>, ApiError> {
    if !PROVIDERS.contains(&provider) {
        return Err(ApiError::UnknownResource {
            kind: "provider of voices",
            path: "voice-library/kokoro, and with piper, flite or openai in its place",
        });
    }
    let (voice, engines) = (app.settings.voice.clone(), app.settings.engine_dir.clone());
    let looking = tokio::task::spawn_blocking(move || voices::installed(&engines, &voice));
    let all = looking.await.map_err(|_| ApiError::Internal)?;
    let theirs = all.iter().filter(|voice| voice.provider() == provider);
    Ok(theirs.map(|voice| shown(voice, app.started_at)).collect())
}

/// A voice is there since the server began: nothing says when it was fetched.
fn shown(voice: &VoiceName, since: Timestamp) -> LibraryVoice {
    let id = voice.as_str();
    // Kokoro's names say both in their first two letters.
    let (accent, gender) = match (voice, id) {
        (VoiceName::Kokoro(_), id) => (
            match id.starts_with('b') {
                true => Some("British"),
                false => Some("American"),
            },
            match id.as_bytes().get(1) {
                Some(b'f') => Some(VoiceGender::Female),
                _ => Some(VoiceGender::Male),
            },
        ),
        (VoiceName::Flite(_), "awb") => (Some("Scottish"), Some(VoiceGender::Male)),
        (VoiceName::Flite(_), "slt") => (Some("American"), Some(VoiceGender::Female)),
        (VoiceName::Flite(_) | VoiceName::Joe, _) => (Some("American"), Some(VoiceGender::Male)),
        (VoiceName::Elsewhere(_), _) => (None, None),
    };
    let name = id.rsplit_once('_').map_or(id, |(_, name)| name);
    let mut letters = name.chars();
    let name = letters
        .next()
        .map(|first| format!("{}{}", first.to_uppercase(), letters.as_str()));
    LibraryVoice {
        id: format!("{}-{id}", voice.provider()),
        org_id: ORGANISATION.to_owned(),
        provider: voice.provider().to_owned(),
        provider_id: id.to_owned(),
        slug: id.to_owned(),
        name: name.unwrap_or_default(),
        language: "English".to_owned(),
        language_code: "en".to_owned(),
        accent: accent.map(str::to_owned),
        gender,
        is_public: true,
        is_deleted: false,
        created_at: since,
        updated_at: since,
    }
}
