//! The settings of the identity provider that officers sign in by (OpenID Connect). How they do is
//! `crate::identity_provider`'s.

use endpoint::{Address, AddressError};
use redact::Secret;

use super::values::Values;

/// Which provider, and who this server is to it.
#[derive(Debug, Clone)]
pub struct IdentityProvider {
    /// As it calls itself: it is compared letter by letter.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret<String>,
    /// What of its word is held against sign-in names.
    pub name_claim: NameClaim,
    /// What the page calls it.
    pub name: String,
    /// Where it sends the browser back to.
    pub redirect_uri: String,
}

/// What a provider says of somebody that may be their sign-in name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameClaim {
    /// Where it says that it has verified it.
    Email,
    PreferredUsername,
}

/// Below the site's origin.
const CALLBACK: &str = "/api/desk/provider/callback";

const OTHERS: [&str; 4] = [
    "oidc_client_id",
    "oidc_client_secret",
    "oidc_name_claim",
    "oidc_name",
];

/// Issuer, id and secret come together, and with where browsers find the desk.
pub(super) fn read(values: &mut Values, public_origin: Option<&str>) -> Option<IdentityProvider> {
    let issuer = issuer(values);
    let client_id = values.optional_text("oidc_client_id");
    let client_secret = values.key("oidc_client_secret");
    let name_claim = name_claim(values);
    let name = values.optional_text("oidc_name");
    if !values.is_given("oidc_issuer") {
        if let Some(key) = OTHERS.into_iter().find(|key| values.is_given(key)) {
            values.problem(
                "oidc_issuer",
                format!("{key} is for an identity provider, and none is named"),
                format!("give its address, such as https://id.line.example, or leave out {key}"),
            );
        }
        return None;
    }
    for key in ["oidc_client_id", "oidc_client_secret"] {
        if !values.is_given(key) {
            values.problem(
                key,
                "the provider at oidc_issuer does not know this server without it",
                "give what the provider shows for this client, or leave out oidc_issuer",
            );
        }
    }
    if !values.is_given("public_origin") {
        values.problem(
            "public_origin",
            "the provider at oidc_issuer sends officers back to the desk, and it is not known where that is reached",
            "give it, such as https://nightlight.example, or leave out oidc_issuer",
        );
    }
    Some(IdentityProvider {
        issuer: issuer?,
        client_id: client_id?,
        client_secret: client_secret?,
        name_claim,
        name: name.unwrap_or_else(|| "your organisation".to_owned()),
        redirect_uri: format!("{}{CALLBACK}", public_origin?),
    })
}

fn issuer(values: &mut Values) -> Option<String> {
    let text = values.optional_text("oidc_issuer")?;
    let remedy = "give the issuer as the provider writes it, such as https://id.line.example";
    let wrong = match Address::of(&text) {
        Ok(_) if text.contains(['?', '#']) => "an issuer has no query and no fragment",
        Ok(_) => return Some(text),
        Err(AddressError::NotOfTheWeb) => "it is not a web address",
        Err(AddressError::HoldsAKey) => "it holds a name or a password",
        Err(AddressError::Unprotected) => "who signs in would be told over an unprotected way",
    };
    values.problem("oidc_issuer", wrong, remedy);
    None
}

fn name_claim(values: &mut Values) -> NameClaim {
    match values.optional_text("oidc_name_claim").as_deref() {
        None | Some("email") => NameClaim::Email,
        Some("preferred_username") => NameClaim::PreferredUsername,
        Some(other) => {
            let wrong = format!("\"{other}\" is no claim that sign-in names are read from");
            values.problem(
                "oidc_name_claim",
                wrong,
                "give email, or preferred_username where nobody can choose their own",
            );
            NameClaim::Email
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};
    use super::*;

    const WHOLE: &str = "public_origin = 'https://line.example'\n\
                         oidc_issuer = 'https://id.line.example/realm'\n\
                         oidc_client_id = 'nightlight'\n\
                         oidc_client_secret = 'hunter2hunter2'\n";

    fn from(file: &str) -> Result<Settings, SettingsProblems> {
        Settings::from_sources(Some(file), [])
    }

    #[test]
    fn without_a_provider_officers_sign_in_here_alone() {
        assert!(from("").unwrap().identity_provider.is_none());
    }

    #[test]
    fn a_provider_is_named_with_who_this_server_is_to_it() {
        let settings = from(WHOLE).unwrap();
        assert!(!format!("{settings:?}").contains("hunter2"));
        let provider = settings.identity_provider.unwrap();
        assert_eq!(provider.issuer, "https://id.line.example/realm");
        assert_eq!(provider.name_claim, NameClaim::Email);
        assert_eq!(
            provider.redirect_uri,
            "https://line.example/api/desk/provider/callback"
        );
    }

    #[test]
    fn what_is_missing_is_told_all_at_once() {
        let problems = from("oidc_issuer = 'https://id.line.example'").unwrap_err();
        let told = problems.to_string();
        for key in ["oidc_client_id", "oidc_client_secret", "public_origin"] {
            assert!(told.contains(&format!("`{key}`")), "{key}: {told}");
        }
        let problems = from("oidc_client_id = 'nightlight'").unwrap_err();
        assert!(problems.to_string().contains("`oidc_issuer`"));
    }

    #[test]
    fn an_issuer_is_a_protected_address_and_a_claim_is_one_that_is_known() {
        for wrong in [
            "http://id.line.example",
            "id.line.example",
            "https://key@id.line.example",
            "https://id.line.example?tenant=1",
        ] {
            let file = WHOLE.replace("https://id.line.example/realm", wrong);
            let problems = from(&file).unwrap_err().to_string();
            assert!(problems.contains("`oidc_issuer`"), "{wrong}: {problems}");
        }
        let problems = from(&format!("{WHOLE}oidc_name_claim = 'nickname'")).unwrap_err();
        assert!(problems.to_string().contains("`oidc_name_claim`"));
    }
}
