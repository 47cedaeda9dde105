//! `{{name}}` in what a program has its assistant say: plain names of variables, of LiquidJS nothing else. A name without a value is
//! nothing, as there; whatever else stands in braces stays, and a sentence with it is not said.

use redact::Secret;
use serde_json::{Map, Value};

pub fn filled(text: &str, variables: Option<&Secret<Map<String, Value>>>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let named = after
            .split_once("}}")
            .filter(|(name, _)| is_a_name(name.trim()));
        let Some((name, after)) = named else {
            filled.push_str("{{");
            rest = after;
            continue;
        };
        let value = variables.and_then(|values| values.expose_secret().get(name.trim()));
        match value {
            Some(Value::String(text)) => filled.push_str(&plain(text)),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => {
                filled.push_str(&value.to_string())
            }
            _ => {}
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// A value is a word or two in a sentence: it begins no other, and fills nothing in.
fn plain(value: &str) -> String {
    let words = value
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | '?' | '!'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn is_a_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn with(text: &str) -> String {
        let values = json!({"name": "Mei Ling", "floor": 3, "ok": true, "list": [1], "bad": "you? {{x}}\nand"});
        filled(
            text,
            Some(&Secret::new(values.as_object().unwrap().clone())),
        )
    }

    #[test]
    fn plain_names_are_filled_in() {
        assert_eq!(
            with("Hi {{name}}, floor {{ floor }}: {{ok}}."),
            "Hi Mei Ling, floor 3: true."
        );
        assert_eq!(with("Hi {{nobody}}{{list}}."), "Hi .");
        assert_eq!(filled("Hi {{name}}.", None), "Hi .");
    }

    #[test]
    fn nothing_else_of_the_language_is_read() {
        for text in [
            "{{ name | upcase }}",
            "{{ name.first }}",
            "{% if name %}Hi{% endif %}",
            "{{name",
            "a }} b",
        ] {
            assert_eq!(with(text), text);
        }
    }

    #[test]
    fn a_value_asks_nothing_and_fills_nothing_in() {
        assert_eq!(with("Hi {{bad}}."), "Hi you x and.");
    }
}
