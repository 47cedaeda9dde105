//! Which of an assistant's tools a caller's own question is asked by. One line of the caller's is all there is to fill in: a
//! function with one required text can be asked, and another cannot.

use platform::resource::MessagePlan;
use resources::Kind;
use serde_json::{Map, Value};

use super::Webhooks;
use crate::helpline::HELPLINE;

/// Of an assistant, that are looked at.
const MOST_TOOLS: usize = 32;
/// As the platform bounds the names of functions.
const LONGEST_NAME: usize = 64;

/// How it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LookUp {
    /// The function's.
    pub name: String,
    /// What the question is put into.
    pub parameter: String,
}

impl Default for LookUp {
    fn default() -> Self {
        Self {
            name: HELPLINE.look_up.name.clone(),
            parameter: HELPLINE.look_up.parameter.clone(),
        }
    }
}

/// A tool that can be asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AskedTool {
    pub look_up: LookUp,
    /// Its own server, where it names one.
    pub plan: Option<MessagePlan>,
}

/// The first that names a server; the first of all where none does.
pub(super) fn first(tools: &[Map<String, Value>]) -> Option<AskedTool> {
    let mut asked: Vec<AskedTool> = tools.iter().filter_map(of).collect();
    let at = asked.iter().position(|tool| tool.plan.is_some());
    (!asked.is_empty()).then(|| asked.swap_remove(at.unwrap_or(0)))
}

fn of(tool: &Map<String, Value>) -> Option<AskedTool> {
    let look_up = asked_by(function(tool)?)?;
    let plan = own_server(tool);
    Some(AskedTool { look_up, plan })
}

fn own_server(tool: &Map<String, Value>) -> Option<MessagePlan> {
    let plan = MessagePlan::of(tool);
    let url = plan.server.as_ref().and_then(|server| server.url.as_ref());
    let names_one = url.is_some_and(|url| !url.expose_secret().is_empty());
    names_one.then_some(plan)
}

fn function(tool: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let kind = tool.get("type").and_then(Value::as_str);
    let function = tool.get("function").and_then(Value::as_object);
    function.filter(|_| kind.is_none_or(|kind| kind == "function"))
}

fn asked_by(function: &Map<String, Value>) -> Option<LookUp> {
    let name = function.get("name").and_then(Value::as_str)?;
    if name.is_empty() || name.len() > LONGEST_NAME {
        return None;
    }
    let schema = function.get("parameters");
    let required = schema.and_then(|schema| schema.get("required")?.as_array());
    let parameter = match required.map(Vec::as_slice) {
        Some([_]) => schema.and_then(one_text).map(str::to_owned),
        // Ours is known by its name, whatever is told of it.
        _ if name == HELPLINE.look_up.name => Some(LookUp::default().parameter),
        _ => None,
    };
    Some(LookUp {
        name: name.to_owned(),
        parameter: parameter?,
    })
}

/// The one text that a function must be given, by its parameters, if that is all that it must be.
pub fn one_text(parameters: &Value) -> Option<&str> {
    let [only] = parameters.get("required")?.as_array()?.as_slice() else {
        return None;
    };
    let only = only.as_str()?;
    let kind = parameters.get("properties")?.get(only)?.get("type")?;
    (kind.as_str() == Some("string")).then_some(only)
}

/// It has a server to be carried out by, and could never be asked there.
fn is_never_asked(tool: &Map<String, Value>) -> bool {
    let function = function(tool).filter(|_| own_server(tool).is_some());
    function.is_some_and(|function| asked_by(function).is_none())
}

impl Webhooks {
    /// Whether an assistant that says this has a function that could never be asked.
    pub async fn has_a_tool_that_is_never_asked(&self, assistant: &Map<String, Value>) -> bool {
        self.tools_of(assistant).await.iter().any(is_never_asked)
    }

    /// Those in full, then those by their ids.
    pub(super) async fn tools_of(&self, assistant: &Map<String, Value>) -> Vec<Map<String, Value>> {
        let listed = |name: &str| {
            let model = assistant.get("model");
            let listed = model.and_then(|model| model.get(name)?.as_array());
            listed.into_iter().flatten().take(MOST_TOOLS)
        };
        let in_full = listed("tools").filter_map(|tool| tool.as_object().cloned());
        let mut tools: Vec<Map<String, Value>> = in_full.collect();
        for id in listed("toolIds").filter_map(Value::as_str) {
            tools.extend(self.kept(Kind::Tool, id).await);
        }
        tools
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn tool(name: &str, parameters: Value, server: &str) -> Map<String, Value> {
        let tool = json!({
            "type": "function", "server": {"url": server},
            "function": {"name": name, "parameters": parameters},
        });
        tool.as_object().unwrap().clone()
    }

    fn one_text(name: &str) -> Value {
        json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]})
    }

    const SERVER: &str = "https://crm.example/tools";

    #[test]
    fn a_function_of_one_text_is_asked_by_its_own_name_and_parameter() {
        let asked = first(&[tool("find_a_clinic", one_text("question"), SERVER)]).unwrap();
        let look_up = LookUp {
            name: "find_a_clinic".to_owned(),
            parameter: "question".to_owned(),
        };
        assert_eq!(asked.look_up, look_up);
        assert!(asked.plan.is_some());
    }

    #[test]
    fn what_may_be_left_out_is() {
        let mut parameters = one_text("question");
        parameters["properties"]["area"] = json!({"type": "string"});
        assert!(first(&[tool("find_a_clinic", parameters, SERVER)]).is_some());
    }

    #[test]
    fn the_first_that_names_a_server_goes_before() {
        let tools = [
            tool("weather", one_text("place"), ""),
            tool("clinics", one_text("question"), SERVER),
            tool("prices", one_text("question"), SERVER),
        ];
        assert_eq!(first(&tools).unwrap().look_up.name, "clinics");
        let alone = first(&tools[..1]).unwrap();
        assert_eq!((alone.look_up.name.as_str(), alone.plan), ("weather", None));
    }

    #[test]
    fn ours_is_known_by_its_name() {
        let ours = HELPLINE.look_up.name.as_str();
        let asked = first(&[tool(ours, json!({"type": "object"}), SERVER)]).unwrap();
        assert_eq!(asked.look_up, LookUp::default());
    }

    #[test]
    fn what_more_than_a_line_of_text_must_be_filled_in_for_is_never_asked() {
        let two = json!({
            "type": "object", "required": ["day", "name"],
            "properties": {"day": {"type": "string"}, "name": {"type": "string"}},
        });
        let number =
            json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]});
        for parameters in [two, number, json!({"type": "object"}), Value::Null] {
            let tool = tool("book", parameters.clone(), SERVER);
            assert!(is_never_asked(&tool), "{parameters}");
            assert_eq!(first(&[tool]), None, "{parameters}");
        }
        // By nobody, that is.
        assert!(!is_never_asked(&tool("book", Value::Null, "")));
        let other = json!({"type": "endCall", "server": {"url": SERVER}});
        assert!(!is_never_asked(other.as_object().unwrap()));
    }
}
