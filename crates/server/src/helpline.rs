//! The helpline as the voice platform keeps such things: its assistant, the squad that it leads and the tool that it has, from
//! `config/`. They are compiled in and read once. What the embedded engine goes by is taken from here, and stands nowhere else;
//! what of them is for a hosted platform alone, `config/README.md` says.

use std::sync::LazyLock;

use flow::{AssistantScript, OwnWords, ProgramsWords};
use model::LookUpTool;
use platform::Invalid;
use platform::call::Inline;
use platform::resource::{
    CreateAssistant, CreateSquad, CreateTool, FirstMessageMode, Known, MessagePlan, read_resource,
};
use redact::Secret;
use resources::Kind;
use serde_json::{Map, Value};

use crate::api::ASSISTANT_ID;
use crate::webhooks::look_up::one_text;

/// The tool that it has, by the name of its file.
pub const TOOL_ID: &str = "product_query";

const ASSISTANT: &str = "assistants/helpline.json";
const SQUAD: &str = "squads/helpline-to-authorities.json";
const TOOL: &str = "tools/product_query.json";

/// The one that is compiled in.
pub static HELPLINE: LazyLock<Helpline> = LazyLock::new(|| {
    Helpline::of(&Files::BUILT_IN).expect("the files in config/ are checked by this module's tests")
});

/// The files' texts.
#[derive(Debug, Clone, Copy)]
pub struct Files<'f> {
    pub assistant: &'f str,
    pub squad: &'f str,
    pub tool: &'f str,
}

impl Files<'static> {
    pub const BUILT_IN: Self = Self {
        assistant: include_str!("../../../config/assistants/helpline.json"),
        squad: include_str!("../../../config/squads/helpline-to-authorities.json"),
        tool: include_str!("../../../config/tools/product_query.json"),
    };
}

/// Why a file cannot be gone by.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("config/{file}: {problem}")]
pub struct HelplineError {
    file: &'static str,
    problem: Invalid,
}

/// What the three files say.
#[derive(Debug, Clone)]
pub struct Helpline {
    own: OwnWords,
    /// Said before the greeting, where there is one.
    first_message: Option<String>,
    /// In what the assistant is told to say they end the call.
    pub end_call_phrases: Vec<String>,
    pub turns: Turns,
    /// Of a chat model, where one is set.
    pub temperature: f64,
    /// By what the knowledge base is asked.
    pub look_up: LookUpTool,
    /// The squad member that callers are handed to.
    pub authorities: String,
    /// The kinds of server messages that are sent of its calls. Where they go is for the settings to say.
    pub messages: MessagePlan,
    assistant: Inline,
    squad: Inline,
    tool: Inline,
}

/// How turns are taken unless settings say otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turns {
    /// Whether the assistant greets first.
    pub speaks_first: bool,
    pub start_wait_seconds: f64,
    pub stop_words: usize,
    pub silence_timeout_seconds: f64,
    pub max_duration_seconds: f64,
}

impl Helpline {
    pub fn of(files: &Files<'_>) -> Result<Self, HelplineError> {
        let (assistant, of_assistant) = read::<CreateAssistant>(ASSISTANT, files.assistant)?;
        let (squad, of_squad) = read::<CreateSquad>(SQUAD, files.squad)?;
        let (tool, of_tool) = read::<CreateTool>(TOOL, files.tool)?;
        let model = assistant.model.as_ref().map(Secret::expose_secret);
        let model = model.ok_or_else(|| missing(ASSISTANT, "model"))?;
        has_the_tool(model)?;
        Ok(Self {
            own: own_words(&assistant)?,
            first_message: first_message(&assistant)
                .filter(|message| !message.trim().is_empty())
                .map(str::to_owned),
            end_call_phrases: end_call_phrases(&assistant)?,
            turns: turns(&assistant)?,
            temperature: model
                .get("temperature")
                .and_then(Value::as_f64)
                .ok_or_else(|| wrong(ASSISTANT, "model.temperature", "expected a number"))?,
            look_up: look_up(&tool)?,
            authorities: authorities(&squad)?,
            messages: MessagePlan {
                server: None,
                ..MessagePlan::of_inline(&of_assistant)
            },
            assistant: of_assistant,
            squad: of_squad,
            tool: of_tool,
        })
    }

    /// What the assistant says, by the name that is set.
    pub fn script(&self, name: &str) -> AssistantScript {
        let own = OwnWords {
            name: name.to_owned(),
            end_call_message: self.own.end_call_message.replace(&self.own.name, name),
        };
        let mut script = AssistantScript::with_words(own);
        if let Some(first) = &self.first_message {
            script.program = ProgramsWords::default().saying_first(first);
        }
        script
    }

    /// What the assistant calls itself unless settings say otherwise.
    pub fn name(&self) -> &str {
        &self.own.name
    }

    /// The fields of a call's facts, as JSON schemas by their names; none where the assistant names none.
    pub fn facts(&self) -> Option<&Map<String, Value>> {
        let plan = self.assistant.expose_secret().get("analysisPlan")?;
        plan.pointer("/structuredDataPlan/schema/properties")?
            .as_object()
    }

    /// The file of this kind as it stands.
    pub fn body(&self, kind: Kind) -> Option<&Map<String, Value>> {
        let body = match kind {
            Kind::Assistant => &self.assistant,
            Kind::Squad => &self.squad,
            Kind::Tool => &self.tool,
            _ => return None,
        };
        Some(body.expose_secret())
    }
}

/// What an assistant says first in words of its own: nothing where those are made when it speaks, or where it waits.
pub fn first_message(assistant: &CreateAssistant) -> Option<&str> {
    let mode = assistant.first_message_mode;
    let is_its_own = mode.is_none_or(|mode| mode == FirstMessageMode::AssistantSpeaksFirst);
    let message = assistant.first_message.as_ref().filter(|_| is_its_own)?;
    Some(message.expose_secret())
}

fn own_words(assistant: &CreateAssistant) -> Result<OwnWords, HelplineError> {
    let said = |text: &Option<Secret<String>>, path| {
        let text = text.as_ref().map(|text| text.expose_secret().clone());
        let text = text.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| missing(ASSISTANT, path))
    };
    Ok(OwnWords {
        name: said(&assistant.name, "name")?,
        end_call_message: said(&assistant.end_call_message, "endCallMessage")?,
    })
}

fn end_call_phrases(assistant: &CreateAssistant) -> Result<Vec<String>, HelplineError> {
    let phrases = assistant.end_call_phrases.as_deref();
    let phrases = phrases.ok_or_else(|| missing(ASSISTANT, "endCallPhrases"))?;
    let phrases = phrases.iter().map(|phrase| phrase.expose_secret().clone());
    Ok(phrases.collect())
}

fn turns(assistant: &CreateAssistant) -> Result<Turns, HelplineError> {
    let given = |number: Option<f64>, path| number.ok_or_else(|| missing(ASSISTANT, path));
    let starts = assistant.start_speaking_plan.as_ref();
    let stops = assistant.stop_speaking_plan.as_ref();
    let (wait, words) = ("startSpeakingPlan.waitSeconds", "stopSpeakingPlan.numWords");
    let stop_words = given(stops.and_then(|plan| plan.num_words), words)?;
    if stop_words.fract() != 0.0 {
        return Err(wrong(ASSISTANT, words, "expected a whole number"));
    }
    Ok(Turns {
        speaks_first: assistant.first_message_mode != Some(FirstMessageMode::AssistantWaitsForUser),
        start_wait_seconds: given(starts.and_then(|plan| plan.wait_seconds), wait)?,
        stop_words: stop_words as usize,
        silence_timeout_seconds: given(assistant.silence_timeout_seconds, "silenceTimeoutSeconds")?,
        max_duration_seconds: given(assistant.max_duration_seconds, "maxDurationSeconds")?,
    })
}

fn has_the_tool(model: &Map<String, Value>) -> Result<(), HelplineError> {
    let tools = model.get("toolIds").and_then(Value::as_array);
    match tools.is_some_and(|tools| tools.iter().any(|id| id == TOOL_ID)) {
        true => Ok(()),
        false => Err(wrong(ASSISTANT, "model.toolIds", "leaves out the tool")),
    }
}

fn look_up(tool: &CreateTool) -> Result<LookUpTool, HelplineError> {
    let function = tool.function.as_ref();
    let function = function.ok_or_else(|| missing(TOOL, "function"))?;
    let name = function.name.clone();
    let description = function.description.as_ref();
    let parameters = function.parameters.as_ref();
    let parameters = parameters.map(|fields| Value::Object(fields.expose_secret().clone()));
    let parameters = parameters.ok_or_else(|| missing(TOOL, "function.parameters"))?;
    let parameter = one_text(&parameters)
        .ok_or_else(|| wrong(TOOL, "function.parameters", "expected one required text"))?;
    Ok(LookUpTool {
        name: name.ok_or_else(|| missing(TOOL, "function.name"))?,
        description: description
            .map(|text| text.expose_secret().clone())
            .ok_or_else(|| missing(TOOL, "function.description"))?,
        parameter: parameter.to_owned(),
        parameters,
    })
}

/// To whom the squad's first member, which is the helpline, hands on.
fn authorities(squad: &CreateSquad) -> Result<String, HelplineError> {
    let first = squad.members.as_ref().and_then(|members| members.first());
    let helpline = first.filter(|first| first.assistant_id.as_deref() == Some(ASSISTANT_ID));
    let helpline = helpline
        .ok_or_else(|| wrong(SQUAD, "members[0].assistantId", "expected the helpline's"))?;
    let destinations = helpline.assistant_destinations.as_deref();
    let name = destinations.unwrap_or_default().first().and_then(|to| {
        let name = to.expose_secret().get("assistantName")?.as_str()?;
        (!name.is_empty()).then(|| name.to_owned())
    });
    let path = "members[0].assistantDestinations[0].assistantName";
    name.ok_or_else(|| missing(SQUAD, path))
}

fn read<T: Known>(file: &'static str, text: &str) -> Result<(T, Inline), HelplineError> {
    read_resource(text.as_bytes()).map_err(|problem| HelplineError { file, problem })
}

fn missing(file: &'static str, path: &str) -> HelplineError {
    wrong(file, path, "is missing")
}

fn wrong(file: &'static str, path: &str, problem: &str) -> HelplineError {
    let problem = Invalid::Field {
        path: path.to_owned(),
        problem: problem.to_owned(),
    };
    HelplineError { file, problem }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::time::Duration;

    use flow::{Conversation, Event, Medium, Setup};
    use platform::TransferTo;
    use serde_json::json;

    use super::*;
    use crate::server;
    use crate::settings::Settings;

    const FILES: Files<'static> = Files::BUILT_IN;

    fn changed(text: &str, change: impl FnOnce(&mut Value)) -> String {
        let mut file = serde_json::from_str(text).unwrap();
        change(&mut file);
        file.to_string()
    }

    /// The helpline with another assistant's file.
    fn with(change: impl FnOnce(&mut Value)) -> Result<Helpline, HelplineError> {
        let assistant = &changed(FILES.assistant, change);
        Helpline::of(&Files { assistant, ..FILES })
    }

    /// The helpline with another file of its tool.
    fn with_tool(change: impl FnOnce(&mut Value)) -> Result<Helpline, HelplineError> {
        let tool = &changed(FILES.tool, change);
        Helpline::of(&Files { tool, ..FILES })
    }

    /// The helpline with another file of its squad.
    fn with_squad(change: impl FnOnce(&mut Value)) -> Result<Helpline, HelplineError> {
        let squad = &changed(FILES.squad, change);
        Helpline::of(&Files { squad, ..FILES })
    }

    fn set(helpline: &Helpline, file: &str) -> Settings {
        Settings::over(helpline, Some(file), []).unwrap()
    }

    /// What the assistant says as a call begins.
    fn greeting(script: AssistantScript) -> Vec<String> {
        let mut conversation = Conversation::new(Setup {
            called_at: "2026-11-20T23:10:00".parse().unwrap(),
            assistant: Arc::new(script),
            medium: Medium::Speech,
        });
        conversation.handle(Event::CallStarted, Duration::ZERO);
        let said = conversation.take_reply().sentences.into_iter();
        said.map(|sentence| sentence.expose_secret().clone())
            .collect()
    }

    #[test]
    fn the_files_hold_the_constants_of_the_specification() {
        let helpline = Helpline::of(&FILES).unwrap();
        assert_eq!(
            helpline.turns,
            Turns {
                speaks_first: true,
                start_wait_seconds: 3.0,
                stop_words: 2,
                silence_timeout_seconds: 30.0,
                max_duration_seconds: 600.0,
            }
        );
        assert_eq!(helpline.end_call_phrases, ["goodbye", "talk to you soon"]);
        assert_eq!(helpline.temperature, 0.3);
        assert_eq!(helpline.look_up.name, "product_query");
        assert_eq!(helpline.look_up.parameter, "query");
        assert_eq!(helpline.authorities, "Authorities");
        assert_eq!(
            helpline.script(helpline.name()).end_call_message,
            "You've reached the end of our demo. You're always welcome to call again, even if it's just to talk. \
             Thank you for calling Nightlight, goodbye."
        );
        let assistant = helpline.body(Kind::Assistant).unwrap();
        assert_eq!(
            assistant["firstMessageMode"],
            "assistant-speaks-first-with-model-generated-message"
        );
        assert_eq!(assistant["backgroundDenoisingEnabled"], false);
        assert_eq!(assistant["name"], "Nightlight");
        let voice = json!({"provider": "vapi", "voiceId": "Emma"});
        assert_eq!(assistant["voice"], voice);
        let transcriber = json!({"provider": "deepgram", "model": "nova-3", "language": "multi"});
        assert_eq!(assistant["transcriber"], transcriber);
        assert_eq!(assistant["model"]["provider"], "openai");
        assert_eq!(assistant["model"]["model"], "gpt-4o-mini");
        let squad = helpline.body(Kind::Squad).unwrap();
        assert_eq!(squad["name"], "helpline to authorities");
        let other = json!({"assistantDestinations": []});
        assert_eq!(squad["members"][1], other);
    }

    /// Rooms that know no platform take the words from the same file.
    #[test]
    fn the_script_that_is_built_in_is_the_files() {
        let script = HELPLINE.script(HELPLINE.name());
        let built_in = AssistantScript::built_in();
        assert_eq!(script.name, built_in.name);
        assert_eq!(script.end_call_message, built_in.end_call_message);
        assert_eq!(greeting(script), greeting(built_in));
    }

    #[test]
    fn turns_are_taken_as_the_file_says() {
        let helpline = with(|it| {
            it["startSpeakingPlan"]["waitSeconds"] = json!(1.5);
            it["stopSpeakingPlan"]["numWords"] = json!(4);
            it["silenceTimeoutSeconds"] = json!(45);
            it["maxDurationSeconds"] = json!(900);
            it["firstMessageMode"] = json!("assistant-waits-for-user");
        });
        let plan = server::plan(&set(&helpline.unwrap(), "").plan);
        let wait = Duration::from_millis(1500) - speech::LEAD_IN;
        assert_eq!(plan.start_wait, wait);
        assert_eq!(plan.stop_words, 4);
        assert_eq!(plan.silence_timeout, Duration::from_secs(45));
        assert_eq!(plan.max_duration, Duration::from_secs(900));
        assert!(!plan.assistant_speaks_first);
        assert!(server::plan(&set(&HELPLINE, "").plan).assistant_speaks_first);
    }

    #[test]
    fn settings_go_before_the_file() {
        let helpline = with(|it| {
            it["name"] = json!("Harbour");
            it["silenceTimeoutSeconds"] = json!(45);
        });
        let helpline = helpline.unwrap();
        assert_eq!(set(&helpline, "").assistant_name, "Harbour");
        let settings = set(
            &helpline,
            "assistant_name = 'Lantern'\nsilence_timeout_seconds = 20\nstart_wait_seconds = 0.4",
        );
        assert_eq!(settings.assistant_name, "Lantern");
        assert_eq!(settings.plan.silence_timeout, Duration::from_secs(20));
        assert_eq!(settings.plan.start_wait.fixed, Duration::from_millis(400));
    }

    #[test]
    fn the_assistant_says_what_the_file_says_by_the_name_that_is_set() {
        let helpline = with(|it| {
            it["name"] = json!("Harbour");
            it["endCallMessage"] = json!("Harbour is here all night.");
            it["endCallPhrases"] = json!(["until tomorrow"]);
        });
        let helpline = helpline.unwrap();
        assert_eq!(helpline.end_call_phrases, ["until tomorrow"]);
        let script = helpline.script("Lantern");
        assert_eq!(script.name, "Lantern");
        assert_eq!(script.end_call_message, "Lantern is here all night.");
        assert!(greeting(script)[0].contains("Lantern"));
    }

    #[test]
    fn a_first_message_is_said_and_made_ahead_where_the_file_has_one_to_be_said() {
        let words = |mode: &str| {
            let helpline = with(|it| {
                it["firstMessage"] = json!("You are not alone.");
                it["firstMessageMode"] = json!(mode);
            });
            helpline.unwrap().script("Nightlight")
        };
        let script = words("assistant-speaks-first");
        assert_eq!(script.fixed_sentences()[0], "You are not alone.");
        assert_eq!(greeting(script)[0], "You are not alone.");
        let own = words("assistant-speaks-first-with-model-generated-message");
        assert_eq!(greeting(own), greeting(AssistantScript::built_in()));
    }

    #[test]
    fn what_is_asked_and_told_elsewhere_is_what_the_files_say() {
        let helpline = with(|it| {
            it["model"]["temperature"] = json!(0.1);
            it["serverMessages"] = json!(["status-update"]);
        });
        let helpline = helpline.unwrap();
        assert_eq!(helpline.temperature, 0.1);
        let told = helpline.messages.server_messages.unwrap();
        assert_eq!(told, ["status-update"]);
        assert!(helpline.messages.server.is_none());
        let helpline = with_tool(|it| {
            it["function"]["name"] = json!("find");
            it["function"]["parameters"] = json!({
                "type": "object", "required": ["question"], "properties": {"question": {"type": "string"}},
            });
        });
        let look_up = helpline.unwrap().look_up;
        assert_eq!(
            (look_up.name.as_str(), look_up.parameter.as_str()),
            ("find", "question")
        );
        let helpline = with_squad(|it| {
            it["members"][0]["assistantDestinations"][0]["assistantName"] = json!("The night desk");
        });
        assert_eq!(helpline.unwrap().authorities, "The night desk");
    }

    fn take(file: &mut Value, from: &str, field: &str) {
        let from = file.pointer_mut(from).and_then(Value::as_object_mut);
        from.unwrap().remove(field).unwrap();
    }

    fn refused(helpline: Result<Helpline, HelplineError>) -> String {
        helpline.unwrap_err().to_string()
    }

    #[test]
    fn what_the_engine_cannot_do_without_is_told_by_its_file_and_path() {
        for (from, field) in [
            ("", "name"),
            ("", "endCallMessage"),
            ("", "endCallPhrases"),
            ("", "silenceTimeoutSeconds"),
            ("", "maxDurationSeconds"),
            ("/startSpeakingPlan", "waitSeconds"),
            ("/stopSpeakingPlan", "numWords"),
            ("/model", "temperature"),
            ("/model", "toolIds"),
        ] {
            let problem = refused(with(|it| take(it, from, field)));
            let begins = "config/assistants/helpline.json: `";
            assert!(problem.starts_with(begins), "{problem}");
            assert!(problem.contains(field), "{problem}");
        }
        let problem = refused(with_tool(|it| take(it, "/function/parameters", "required")));
        assert_eq!(
            problem,
            "config/tools/product_query.json: `function.parameters`: expected one required text"
        );
        let problem = refused(with_squad(|it| {
            it["members"][0]["assistantId"] = json!("another")
        }));
        assert_eq!(
            problem,
            "config/squads/helpline-to-authorities.json: `members[0].assistantId`: expected the helpline's"
        );
    }

    #[test]
    fn a_file_that_is_not_in_the_platforms_shape_is_told_by_its_place() {
        let problem = refused(with(|it| it["silenceTimeoutSeconds"] = json!("long")));
        assert_eq!(
            problem,
            "config/assistants/helpline.json: `silenceTimeoutSeconds`: expected a number"
        );
        let problem = refused(with(|it| it["silenceTimeoutSeconds"] = json!(5)));
        assert!(problem.contains("from 10 to 3600"), "{problem}");
        let problem = refused(with(|it| it["stopSpeakingPlan"]["numWords"] = json!(1.5)));
        assert!(problem.contains("`stopSpeakingPlan.numWords`"), "{problem}");
        let squad = "{\n\"members\": nobody}";
        let problem = refused(Helpline::of(&Files { squad, ..FILES }));
        assert!(
            problem.starts_with(
                "config/squads/helpline-to-authorities.json: the body is not valid JSON: see line 2"
            ),
            "{problem}"
        );
    }

    fn words(list: &Value) -> BTreeSet<String> {
        let words = list.as_array().unwrap().iter();
        words
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    }

    /// The facts are types of the program: that the schema lists the same is for this test to hold.
    #[test]
    fn the_analysis_schema_is_that_of_the_notes() {
        let assistant = HELPLINE.body(Kind::Assistant).unwrap();
        let schema = &assistant["analysisPlan"]["structuredDataPlan"]["schema"];
        let data = platform::StructuredData {
            name: Secret::default(),
            urgent: false,
            location: Secret::default(),
            follow_up: Secret::default(),
            abuse_type: Secret::default(),
            transfer_to: TransferTo::NotApplicable,
            transferred: false,
            latest_incident_date: Secret::default(),
        };
        let written = serde_json::to_value(data).unwrap();
        let fields: BTreeSet<String> = written.as_object().unwrap().keys().cloned().collect();
        assert_eq!(words(&schema["required"]), fields);
        let described = HELPLINE.facts().unwrap();
        assert_eq!(described.keys().cloned().collect::<BTreeSet<_>>(), fields);
        let agencies = flow::Agency::ALL.iter().map(|agency| agency.as_str());
        let agencies = agencies.chain(["Not Applicable"]).map(str::to_owned);
        assert_eq!(words(&described["transfer_to"]["enum"]), agencies.collect());
        for abuse in words(&described["abuse_type"]["enum"]) {
            let known: Result<flow::AbuseType, _> = serde_json::from_value(abuse.into());
            assert!(known.is_ok());
        }
    }
}
