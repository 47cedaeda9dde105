//! The agencies a caller can be handed to, and the directory of how to reach them.
//!
//! Which agency suits which caller is the machine's decision, not this module's.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Where a caller can be transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Agency {
    /// Police: a violent situation now.
    Spf,
    /// Samaritans of Singapore: suicidal thoughts.
    Sos,
    /// Family Service Centre: shelter away from home.
    Fsc,
    /// Sexual Assault Care Centre.
    Sacc,
    /// Interspousal domestic violence.
    Dvert,
    /// Other domestic violence.
    Pave,
    /// Emotional, psychological or financial abuse, age not given.
    Navh,
    /// The same, caller aged 18 or under.
    Cps,
    /// The same, caller aged 19 or over.
    Aps,
}

impl Agency {
    /// Every agency, in the specification's order.
    pub const ALL: [Self; 9] = [
        Self::Spf,
        Self::Sos,
        Self::Fsc,
        Self::Sacc,
        Self::Dvert,
        Self::Pave,
        Self::Navh,
        Self::Cps,
        Self::Aps,
    ];

    /// The code on the wire, such as `"SPF"`; the same that serde writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spf => "SPF",
            Self::Sos => "SOS",
            Self::Fsc => "FSC",
            Self::Sacc => "SACC",
            Self::Dvert => "DVERT",
            Self::Pave => "PAVE",
            Self::Navh => "NAVH",
            Self::Cps => "CPS",
            Self::Aps => "APS",
        }
    }

    /// Police and suicide prevention answer at once; the others reach out the next working day.
    pub fn transfer_mode(self) -> TransferMode {
        match self {
            Self::Spf | Self::Sos => TransferMode::Warm,
            _ => TransferMode::Cold,
        }
    }
}

impl fmt::Display for Agency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is no agency's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an agency code: use SPF, SOS, FSC, SACC, DVERT, PAVE, NAVH, CPS or APS")]
pub struct UnknownAgency;

impl FromStr for Agency {
    type Err = UnknownAgency;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|agency| agency.as_str() == text)
            .ok_or(UnknownAgency)
    }
}

/// How a caller is handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransferMode {
    /// Connected now; the assistant leaves once the agency is there.
    Warm,
    /// The case is shared; the agency reaches out within the next working day.
    Cold,
}

impl TransferMode {
    /// `"warm"` or `"cold"`; the same that serde writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warm => "warm",
            Self::Cold => "cold",
        }
    }
}

/// One line of the directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// An agency's code, or a short name of our own for those the flow does not transfer to
    /// (`SCDF`, `MINDLINE`).
    pub code: String,
    pub name: String,
    /// What it is called where it is shown beside its number; where that is not its name.
    #[serde(default)]
    pub shown_name: Option<String>,
    /// As it stands in a sentence of the assistant's: "the police", "the DVERT team".
    pub in_a_sentence: String,
    /// What it is for, in one plain sentence.
    pub purpose: String,
    /// The number as printed; absent where there is no public one.
    #[serde(default)]
    pub telephone: Option<String>,
    #[serde(default)]
    pub sms: Option<String>,
    #[serde(default)]
    pub whatsapp: Option<String>,
    #[serde(default)]
    pub hours: Option<String>,
    /// How it is really reached, and what staff should know.
    #[serde(default)]
    pub notes: Option<String>,
    /// Something here could not be confirmed: wherever it is shown, say "check before launch".
    #[serde(default)]
    pub unconfirmed: bool,
}

/// All contacts, read from `config/agencies.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Directory {
    #[serde(rename = "contact")]
    contacts: Vec<Contact>,
}

impl Directory {
    /// Every contact, in the file's order.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// A contact by its code, agencies and others alike.
    pub fn by_code(&self, code: &str) -> Option<&Contact> {
        self.contacts.iter().find(|contact| contact.code == code)
    }

    /// A text with its braces filled from the directory: `{SOS}` is the contact as it stands in a
    /// sentence, `{SOS number}` its number, and so for `{SPF sms}` and `{SOS whatsapp}`; `{SOS aloud}` is the
    /// number digit by digit, as a caller may say it. Other braces are left.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let told = after
                .split_once('}')
                .and_then(|(braced, after)| Some((self.told(braced)?, after)));
            match told {
                Some((told, after)) => {
                    let begins = filled.is_empty() || filled.ends_with(". ");
                    let (first, others) =
                        told.split_at(told.chars().next().map_or(0, char::len_utf8));
                    match begins {
                        true => filled.push_str(&first.to_uppercase()),
                        false => filled.push_str(first),
                    }
                    filled.push_str(others);
                    rest = after;
                }
                None => {
                    filled.push('{');
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    fn told(&self, braced: &str) -> Option<Cow<'_, str>> {
        let (code, fact) = braced.split_once(' ').unwrap_or((braced, ""));
        let contact = self.by_code(code)?;
        let told = match fact {
            "" => Some(&contact.in_a_sentence),
            "number" => contact.telephone.as_ref(),
            "aloud" => return contact.telephone.as_deref().map(in_words),
            "sms" => contact.sms.as_ref(),
            "whatsapp" => contact.whatsapp.as_ref(),
            _ => None,
        };
        told.map(|told| told.as_str().into())
    }

    /// The agency's own line. [`crate::AssistantScript::from_toml`] has checked that it is there.
    pub fn agency(&self, agency: Agency) -> &Contact {
        self.by_code(agency.as_str())
            .expect("a script is only made when every agency is in its directory")
    }
}

/// "999" as "nine nine nine".
fn in_words(number: &str) -> Cow<'_, str> {
    const DIGITS: [&str; 10] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    let digits = number.chars().filter_map(|it| it.to_digit(10));
    let words: Vec<&str> = digits
        .filter_map(|it| DIGITS.get(it as usize).copied())
        .collect();
    words.join(" ").into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_agency_reads_back_from_its_code() {
        for agency in Agency::ALL {
            assert_eq!(agency.as_str().parse(), Ok(agency));
            assert_eq!(
                serde_json::to_string(&agency).unwrap(),
                format!("\"{agency}\"")
            );
        }
        assert_eq!("spf".parse::<Agency>(), Err(UnknownAgency));
    }
}
