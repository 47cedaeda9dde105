//! A token: a key that a program made. What it opens is in its tag and its restrictions; its value is told once, when it is
//! made.

use jiff::Timestamp;
use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known};
use crate::invalid::{Invalid, within};
use crate::time;

/// The body of `POST /token`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateToken {
    /// `public` unless told: what is left out opens the less.
    #[serde(default)]
    pub tag: Option<TokenTag>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    pub restrictions: Option<TokenRestrictions>,
}

/// What a token opens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TokenTag {
    /// Every path of the platform.
    Private,
    /// It starts web calls and chats.
    #[default]
    Public,
}

/// What a token is good for. All but `enabled` and `expiresAt` bounds public ones alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenRestrictions {
    /// True unless told.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// The pages it is good for, each such as `https://line.example`; any unless told.
    #[serde(default)]
    pub allowed_origins: Option<Vec<String>>,
    /// The assistants a call or chat may begin with; any unless told.
    #[serde(default)]
    pub allowed_assistant_ids: Option<Vec<String>>,
    /// Whether a call or chat may begin with an assistant in full. True unless told, and false where `allowedAssistantIds` is
    /// told.
    #[serde(default)]
    pub allow_transient_assistant: Option<bool>,
    /// From then on it opens nothing; a private one too. Never, unless told.
    #[serde(default, with = "time::optional_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
}

impl Known for CreateToken {
    fn check(&self) -> Result<(), Invalid> {
        let Some(restrictions) = &self.restrictions else {
            return Ok(());
        };
        restrictions
            .check()
            .map_err(|error| within("restrictions", error))
    }
}

impl TokenRestrictions {
    fn check(&self) -> Result<(), Invalid> {
        let lists = [
            ("allowedOrigins", &self.allowed_origins),
            ("allowedAssistantIds", &self.allowed_assistant_ids),
        ];
        for (name, list) in lists {
            // It could be meant as "nobody" or as "anybody".
            if list.as_ref().is_some_and(Vec::is_empty) {
                return Err(Invalid::field(
                    name,
                    "expected at least one, or the field left out",
                ));
            }
        }
        let origins = self.allowed_origins.iter().flatten().enumerate();
        for (number, origin) in origins {
            if !is_an_origin(origin) {
                return Err(Invalid::field(
                    format!("allowedOrigins[{number}]"),
                    "expected an origin such as https://line.example, without a path",
                ));
            }
        }
        Ok(())
    }
}

/// As browsers send it: with one that is written otherwise nothing would ever agree.
fn is_an_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else {
        return false;
    };
    let of_a_host = |c: char| {
        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | ':' | '[' | ']')
    };
    matches!(scheme, "http" | "https") && !host.is_empty() && host.chars().all(of_a_host)
}

/// A token that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreateToken,
    /// What is sent as `Authorization: Bearer`. In the answer that makes the token, and nowhere else.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub value: Option<Secret<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_send_it() {
        for sound in [
            "https://line.example",
            "http://localhost:5173",
            "https://[::1]:8443",
        ] {
            assert!(is_an_origin(sound), "{sound}");
        }
        for odd in [
            "line.example",
            "https://",
            "https://line.example/",
            "https://line.example/page",
            "https://Line.example",
            "https://*.line.example?",
            "ftp://line.example",
            "null",
            "",
        ] {
            assert!(!is_an_origin(odd), "{odd}");
        }
    }
}
