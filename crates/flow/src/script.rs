//! What the assistant is made of: its name, its parting words, its directory and its knowledge.
//!
//! It is read once from text; reading files is the caller's business.

use serde::Deserialize;

use crate::{Agency, Directory, Knowledge, ProgramsWords};

/// What the assistant says of itself. The fields are named as the voice platform names an assistant's: they are read from
/// `config/assistants/helpline.json` as it stands. What else is in that file is for whoever holds the calls.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnWords {
    /// The name it gives itself.
    pub name: String,
    /// Said last in a call that the assistant ends.
    pub end_call_message: String,
}

impl OwnWords {
    fn built_in() -> Self {
        let file = include_str!("../../../config/assistants/helpline.json");
        serde_json::from_str(file).expect("the files in config/ are checked by this crate's tests")
    }
}

/// The assistant's own material, shared by all conversations.
#[derive(Debug, Clone)]
pub struct AssistantScript {
    /// The name it gives itself.
    pub name: String,
    /// Said last in a call that the assistant ends.
    pub end_call_message: String,
    pub directory: Directory,
    pub knowledge: Knowledge,
    /// Of an assistant that a program has made; the helpline's own has none.
    pub program: ProgramsWords,
}

/// Why a script could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    #[error("the agencies file is not readable: {0}")]
    Agencies(#[source] toml::de::Error),
    #[error("the knowledge file is not readable: {0}")]
    Knowledge(#[source] toml::de::Error),
    #[error("the agencies file has no contact with code {0}: add one")]
    MissingContact(String),
}

impl AssistantScript {
    /// A script from the texts of `agencies.toml` and `knowledge.toml`. Every agency, and the
    /// ambulance (`SCDF`), must be in the directory.
    pub fn from_toml(
        own: OwnWords,
        agencies_toml: &str,
        knowledge_toml: &str,
    ) -> Result<Self, ScriptError> {
        let directory: Directory = toml::from_str(agencies_toml).map_err(ScriptError::Agencies)?;
        let knowledge: Knowledge =
            toml::from_str(knowledge_toml).map_err(ScriptError::Knowledge)?;
        let knowledge = knowledge.filled(&directory, &own.name);
        for code in Agency::ALL.map(Agency::as_str).into_iter().chain(["SCDF"]) {
            if directory.by_code(code).is_none() {
                return Err(ScriptError::MissingContact(code.to_owned()));
            }
        }
        Ok(Self {
            name: own.name,
            end_call_message: own.end_call_message,
            directory,
            knowledge,
            program: ProgramsWords::default(),
        })
    }

    /// Every sentence of a call that holds nothing of the caller's, the commonest first: what a voice can make ahead.
    pub fn fixed_sentences(&self) -> Vec<String> {
        crate::wording::fixed_sentences(self)
    }

    /// Short sentences that may come before any reply whose own beginning is not ready in time.
    pub fn openings() -> &'static [&'static str] {
        &crate::wording::OPENINGS
    }

    /// What is said in the place of a sentence whose sound cannot be had, all of it among the fixed sentences: these, and
    /// the last in the place of a question.
    pub fn stand_ins() -> (&'static [&'static str], &'static str) {
        (
            &crate::wording::STAND_INS,
            crate::wording::STAND_IN_QUESTION,
        )
    }

    /// The script this product ships with.
    pub fn built_in() -> Self {
        Self::with_words(OwnWords::built_in())
    }

    /// The same in an assistant's own words.
    pub fn with_words(own: OwnWords) -> Self {
        Self::from_toml(
            own,
            include_str!("../../../config/agencies.toml"),
            include_str!("../../../config/knowledge.toml"),
        )
        .expect("the files in config/ are checked by this crate's tests")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_files_make_a_script() {
        let script = AssistantScript::built_in();
        assert!(script.end_call_message.ends_with("Nightlight, goodbye."));
        assert_eq!(
            script.directory.agency(Agency::Sos).telephone.as_deref(),
            Some("1767")
        );
    }

    #[test]
    fn the_assistants_name_is_the_same_wherever_it_stands() {
        let own = OwnWords {
            name: String::from("Harbour"),
            end_call_message: String::from("Goodbye."),
        };
        let script = AssistantScript::with_words(own);
        assert_eq!(script.end_call_message, "Goodbye.");
        let asked = script.knowledge.look_up("What is Harbour?");
        assert!(asked.is_some_and(|entry| entry.answer.starts_with("I'm Harbour,")));
    }

    #[test]
    fn a_directory_without_an_agency_is_refused_by_name() {
        let error =
            AssistantScript::from_toml(OwnWords::built_in(), "contact = []", "entry = []").err();
        assert!(matches!(error, Some(ScriptError::MissingContact(code)) if code == "SPF"));
    }
}
