//! A voice of the library: one that callers could be spoken to with.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::time;

/// A voice that is installed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryVoice {
    /// The provider's name and the voice's.
    pub id: String,
    pub org_id: String,
    pub provider: String,
    /// What `voice` is set to.
    pub provider_id: String,
    pub slug: String,
    pub name: String,
    pub language: String,
    pub language_code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<VoiceGender>,
    pub is_public: bool,
    pub is_deleted: bool,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A voice as a search among a provider's tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundVoice {
    /// What `voice.voiceId` of an assistant is set to.
    pub voice_id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<VoiceGender>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accent: Option<String>,
}

impl From<LibraryVoice> for FoundVoice {
    fn from(voice: LibraryVoice) -> Self {
        Self {
            voice_id: voice.provider_id,
            name: voice.name,
            gender: voice.gender,
            accent: voice.accent,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VoiceGender {
    Male,
    Female,
}

impl VoiceGender {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Male => "male",
            Self::Female => "female",
        }
    }
}
