//! A phone number. It is kept; no call comes or goes by it.

use redact::Secret;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Kept, Known, required};
use crate::call::Inline;
use crate::invalid::Invalid;

/// The body of `POST /phone-number`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatePhoneNumber {
    #[serde(default)]
    #[schema(required, value_type = PhoneNumberProvider)]
    pub provider: Option<PhoneNumberProvider>,
    /// In the form of E.164, such as +6561234567.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub number: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default)]
    pub assistant_id: Option<String>,
    #[serde(default)]
    pub squad_id: Option<String>,
    #[serde(default)]
    pub workflow_id: Option<String>,
    /// Of a trunk of one's own, of Vonage or of Telnyx.
    #[serde(default)]
    pub credential_id: Option<String>,
    #[serde(default)]
    pub twilio_account_sid: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub twilio_auth_token: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub twilio_api_key: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub twilio_api_secret: Option<Secret<String>>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub sip_uri: Option<Secret<String>>,
    /// It may hold a secret.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub authentication: Option<Inline>,
    /// Where server messages go. It may hold a secret.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub server: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub fallback_destination: Option<Inline>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub hooks: Option<Vec<Inline>>,
    #[serde(rename = "numberE164CheckEnabled", default)]
    pub number_e164_check_enabled: Option<bool>,
}

/// Whose number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PhoneNumberProvider {
    ByoPhoneNumber,
    Twilio,
    Vonage,
    Vapi,
    Telnyx,
}

impl Known for CreatePhoneNumber {
    fn check(&self) -> Result<(), Invalid> {
        required(&self.provider, "provider")?;
        match self.provider {
            Some(PhoneNumberProvider::Twilio) => {
                required(&self.number, "number")?;
                required(&self.twilio_account_sid, "twilioAccountSid")
            }
            Some(PhoneNumberProvider::Vonage | PhoneNumberProvider::Telnyx) => {
                required(&self.number, "number")?;
                required(&self.credential_id, "credentialId")
            }
            Some(PhoneNumberProvider::ByoPhoneNumber) => {
                required(&self.credential_id, "credentialId")
            }
            Some(PhoneNumberProvider::Vapi) | None => Ok(()),
        }
    }
}

/// A phone number that is kept.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhoneNumber {
    #[serde(flatten)]
    pub kept: Kept,
    #[serde(flatten)]
    pub fields: CreatePhoneNumber,
}
