//! The tools a model may call in a turn. None of them does anything to the call: a look-up gives an
//! answer of the knowledge base, and everything else is a proposal to the flow, which decides.

use flow::reading::Signal;
use flow::{Agency, Knowledge, Suggestion};
use redact::Secret;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::LookUpTool;
use crate::endpoint::ToolCall;

/// The names under which a model may report what it heard.
const SIGNALS: &[(&str, Signal)] = &[
    ("violence-now", Signal::ViolenceNow),
    ("weapon", Signal::Weapon),
    ("threat-to-kill", Signal::ThreatToKill),
    ("strangulation", Signal::Strangulation),
    ("suicidal", Signal::SuicidalDirect),
    ("suicidal-indirect", Signal::SuicidalIndirect),
    ("self-harm-now", Signal::SelfHarmNow),
    ("overdose-now", Signal::OverdoseNow),
    ("injury", Signal::Injury),
    ("physical-abuse", Signal::PhysicalAbuse),
    ("violence-at-home", Signal::DomesticViolence),
    ("sexual-assault", Signal::SexualAssault),
    ("wish-for-shelter", Signal::ShelterWish),
    ("emotional-abuse", Signal::EmotionalAbuse),
    ("psychological-abuse", Signal::PsychologicalAbuse),
    ("financial-abuse", Signal::FinancialAbuse),
    ("neglect", Signal::Neglect),
    ("child-at-risk", Signal::ChildAtRisk),
    ("fear", Signal::Fear),
    ("distress", Signal::Distress),
];

/// How sure a report is taken to be that does not say.
const USUALLY_SURE: f32 = 0.7;

const NOT_KNOWN: &str = "This is not in the knowledge base: say that you do not know.";
const FLOW_DECIDES: &str = "Noted. The conversation flow decides this, not you.";

/// The tools as the endpoint is told of them.
pub fn definitions(look_up: &LookUpTool) -> Value {
    let names: Vec<&str> = SIGNALS.iter().map(|(name, _)| *name).collect();
    let agencies: Vec<&str> = Agency::ALL.iter().map(|agency| agency.as_str()).collect();
    let function = |name: &str, description: &str, parameters: Value| {
        json!({"type": "function", "function": {
            "name": name, "description": description, "parameters": parameters,
        }})
    };
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        function(name, description, parameters)
    };
    json!([
        tool(
            "report_signals",
            "Reports danger or need in the caller's last message.",
            json!({"signals": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "signal": {"type": "string", "enum": names},
                    "quote": {"type": "string", "description": "The caller's words, copied exactly from their last message"},
                    "confidence": {"type": "number", "description": "0 to 1"},
                },
                "required": ["signal", "quote"],
            }}}),
            &["signals"],
        ),
        function(
            &look_up.name,
            &look_up.description,
            look_up.parameters.clone(),
        ),
        tool(
            "transferCall",
            "Proposes that the caller be brought to an agency.",
            json!({
                "agency": {"type": "string", "enum": agencies},
                "quote": {"type": "string", "description": "The caller's words that call for it, copied exactly from their last message"},
            }),
            &["agency", "quote"],
        ),
        tool("endCall", "Proposes that the call end.", json!({}), &[]),
    ])
}

/// What a model's calls come to.
#[derive(Debug, Default)]
pub struct Proposals {
    pub suggestions: Vec<Suggestion>,
    /// What was looked up, as it may be told.
    pub looked_up: Vec<String>,
}

impl Proposals {
    /// Takes one call; the result is for the model to read. Arguments that make no sense are told
    /// so and come to nothing.
    pub fn take(&mut self, call: &ToolCall, look_up: &LookUpTool, knowledge: &Knowledge) -> String {
        let arguments = call.arguments.expose_secret();
        let done = match call.name.as_str() {
            "report_signals" => self.report(arguments),
            name if name == look_up.name => self.look_up(arguments, look_up, knowledge),
            "transferCall" => self.transfer(arguments),
            "endCall" => Some(FLOW_DECIDES.to_owned()),
            _ => Some("There is no such tool.".to_owned()),
        };
        done.unwrap_or_else(|| "The arguments cannot be read: follow the tool's schema.".to_owned())
    }

    fn report(&mut self, arguments: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Report {
            signals: Vec<Value>,
        }
        #[derive(Deserialize)]
        struct One {
            signal: String,
            quote: Secret<String>,
            #[serde(default)]
            confidence: Option<f32>,
        }
        let report: Report = serde_json::from_str(arguments).ok()?;
        for one in report.signals {
            // One that makes no sense does not spoil the others.
            let Ok(one) = serde_json::from_value::<One>(one) else {
                continue;
            };
            let known = SIGNALS.iter().find(|(name, _)| *name == one.signal);
            if let Some((_, signal)) = known {
                self.suggestions.push(Suggestion {
                    signal: *signal,
                    quote: one.quote,
                    confidence: one.confidence.unwrap_or(USUALLY_SURE),
                });
            }
        }
        Some(FLOW_DECIDES.to_owned())
    }

    fn look_up(
        &mut self,
        arguments: &str,
        tool: &LookUpTool,
        knowledge: &Knowledge,
    ) -> Option<String> {
        let arguments: Secret<Map<String, Value>> = serde_json::from_str(arguments).ok()?;
        let query = arguments.expose_secret().get(&tool.parameter)?.as_str()?;
        let Some(entry) = knowledge.look_up(query) else {
            return Some(NOT_KNOWN.to_owned());
        };
        self.looked_up.push(entry.answer.clone());
        Some(entry.answer.clone())
    }

    /// A wish to transfer is as good as what it rests on: the need in the caller's words.
    fn transfer(&mut self, arguments: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Transfer {
            #[serde(alias = "destination")]
            agency: String,
            #[serde(default)]
            quote: Secret<String>,
        }
        let transfer: Transfer = serde_json::from_str(arguments).ok()?;
        let agency: Agency = transfer.agency.parse().ok()?;
        let signal = match agency {
            Agency::Spf => Signal::ViolenceNow,
            Agency::Sos => Signal::SuicidalIndirect,
            Agency::Fsc => Signal::ShelterWish,
            Agency::Sacc => Signal::SexualAssault,
            Agency::Dvert | Agency::Pave => Signal::DomesticViolence,
            Agency::Navh | Agency::Cps | Agency::Aps => Signal::EmotionalAbuse,
        };
        self.suggestions.push(Suggestion {
            signal,
            quote: transfer.quote,
            // Asked about first, where nobody else has heard it.
            confidence: 0.6,
        });
        Some(FLOW_DECIDES.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use flow::AssistantScript;

    use super::*;

    fn look_up(name: &str, parameter: &str) -> LookUpTool {
        LookUpTool {
            name: name.to_owned(),
            description: String::from("Looks it up."),
            parameters: json!({
                "type": "object", "required": [parameter], "properties": {parameter: {"type": "string"}},
            }),
            parameter: parameter.to_owned(),
        }
    }

    fn take(name: &str, arguments: &str) -> (Proposals, String) {
        take_with(&look_up("product_query", "query"), name, arguments)
    }

    fn take_with(tool: &LookUpTool, name: &str, arguments: &str) -> (Proposals, String) {
        let mut proposals = Proposals::default();
        let call = ToolCall {
            id: String::from("1"),
            name: name.to_owned(),
            arguments: Secret::new(arguments.to_owned()),
        };
        let result = proposals.take(&call, tool, &AssistantScript::built_in().knowledge);
        (proposals, result)
    }

    #[test]
    fn a_look_up_answers_from_the_knowledge_base_or_says_that_it_does_not_know() {
        let (proposals, result) = take("product_query", r#"{"query":"is it free?"}"#);
        assert_eq!(result, "Talking to me costs nothing.");
        assert_eq!(proposals.looked_up, [result]);
        let (proposals, result) = take("product_query", r#"{"query":"the price of tea"}"#);
        assert_eq!(result, NOT_KNOWN);
        assert!(proposals.looked_up.is_empty());
    }

    #[test]
    fn the_look_up_is_called_as_the_model_was_told_that_it_is() {
        let tool = look_up("find", "question");
        let told = definitions(&tool);
        let told = told.as_array().expect("a list of tools");
        let told = told
            .iter()
            .find(|one| one["function"]["name"] == "find")
            .expect("the look-up is among them");
        assert_eq!(told["function"]["parameters"], tool.parameters);
        let (proposals, _) = take_with(&tool, "find", r#"{"question":"is it free?"}"#);
        assert_eq!(proposals.looked_up, ["Talking to me costs nothing."]);
        let (proposals, _) = take_with(&tool, "product_query", r#"{"query":"is it free?"}"#);
        assert!(proposals.looked_up.is_empty());
    }

    #[test]
    fn transfers_and_ends_are_proposals() {
        let (proposals, result) = take(
            "transferCall",
            r#"{"agency":"SACC","quote":"he forced me"}"#,
        );
        assert_eq!(result, FLOW_DECIDES);
        assert_eq!(proposals.suggestions[0].signal, Signal::SexualAssault);
        let (proposals, result) = take("endCall", "");
        assert_eq!(result, FLOW_DECIDES);
        assert!(proposals.suggestions.is_empty());
    }

    #[test]
    fn arguments_that_make_no_sense_come_to_nothing() {
        let cases = [
            ("report_signals", "{"),
            ("report_signals", "[]"),
            ("report_signals", r#"{"signals":"all of them"}"#),
            (
                "report_signals",
                r#"{"signals":[7,{"signal":"joy","quote":"x"},{"signal":"weapon"}]}"#,
            ),
            ("product_query", r#"{"query":["x"]}"#),
            ("transferCall", r#"{"agency":"FBI","quote":"x"}"#),
            ("transferCall", "null"),
            ("delete_everything", "{}"),
            ("", ""),
        ];
        for (name, arguments) in cases {
            let (proposals, result) = take(name, arguments);
            assert!(proposals.suggestions.is_empty(), "{name} {arguments}");
            assert!(proposals.looked_up.is_empty(), "{name} {arguments}");
            assert!(!result.is_empty());
        }
    }
}
