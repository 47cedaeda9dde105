//! Test suites: scripted callers, really answered, and how they score.

use reqwest::Method;
use serde_json::{Value, json};

use super::evals::ended;
use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

fn test(scorer: Value) -> Value {
    json!({
        "type": "chat", "name": "In danger", "script": "I'm safe, I just feel very low\nI don't want to live any more",
        "scorers": [scorer], "numAttempts": 2,
    })
}

#[tokio::test]
async fn a_suite_is_run_and_says_how_each_attempt_scores() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let suite = program.made("/test-suite", json!({"name": "Nights"})).await;
    let path = format!("/test-suite/{}", suite["id"].as_str().unwrap());
    let tests = format!("{path}/test");
    let right = json!({"type": "outcome", "transferTo": "SOS", "urgent": true});
    let right = program.made(&tests, test(right)).await;
    assert_eq!(right["testSuiteId"], suite["id"]);
    let wrong = json!({"type": "outcome", "transferTo": "SPF"});
    program.made(&tests, test(wrong)).await;
    let one = format!("{tests}/{}", right["id"].as_str().unwrap());
    assert_eq!(program.get_json(&one).await, right);
    let listed = program.get_json(&format!("{tests}?limit=1&page=2")).await;
    assert_eq!(listed["results"], json!([right]));
    let changed = program.changed(&one, json!({"numAttempts": 1})).await;
    assert_eq!(changed["testSuiteId"], suite["id"]);

    let run = program
        .made(&format!("{path}/run"), json!({"name": "first"}))
        .await;
    assert_eq!(
        (&run["status"], &run["name"]),
        (&json!("queued"), &json!("first"))
    );
    let of_run = format!("{path}/run/{}", run["id"].as_str().unwrap());
    let run = ended(&program, &of_run).await;
    assert_eq!(run["status"], "completed", "{run}");
    let results = run["testResults"].as_array().unwrap();
    let attempts = |result: &Value| result["attempts"].as_array().unwrap().clone();
    assert_eq!(
        results
            .iter()
            .map(|it| attempts(it).len())
            .collect::<Vec<_>>(),
        [1, 2]
    );
    let scored = &attempts(&results[0])[0];
    assert_eq!(scored["scorerResults"][0]["result"], "pass", "{run}");
    let transcript = scored["call"]["artifact"]["transcript"].as_str().unwrap();
    assert!(transcript.contains("User: I don't want to live any more"));
    let scored = &attempts(&results[1])[1]["scorerResults"][0];
    assert_eq!(scored["result"], "fail");
    let reasoning = scored["reasoning"].as_str().unwrap();
    assert!(
        reasoning.contains("SOS") && reasoning.contains("SPF"),
        "{reasoning}"
    );

    let named = program
        .changed(&of_run, json!({"name": "again", "status": "queued"}))
        .await;
    assert_eq!(
        (&named["name"], &named["status"]),
        (&json!("again"), &json!("completed"))
    );
    assert_eq!(
        program.get_json(&format!("{path}/run")).await["metadata"]["totalItems"],
        1
    );
    assert_eq!(program.get_json("/call").await, json!([]), "no record");
    program.removed(&path).await;
    for gone in [path, one, of_run] {
        refused(
            program.ask(Method::GET, &gone).await,
            404,
            "resource-not-found",
        )
        .await;
    }
}

#[tokio::test]
async fn a_test_in_writing_is_held_with_the_assistant_of_its_suite() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let greets = json!({"firstMessage": "Good evening."});
    let made = program.made("/assistant", greets).await;
    let suite = json!({"targetPlan": {"assistantId": made["id"]}});
    let suite = program.made("/test-suite", suite).await;
    let path = format!("/test-suite/{}", suite["id"].as_str().unwrap());
    let right = json!({"type": "outcome", "transferTo": "SOS", "urgent": true});
    program.made(&format!("{path}/test"), test(right)).await;
    let run = program.made(&format!("{path}/run"), json!({})).await;
    let of_run = format!("{path}/run/{}", run["id"].as_str().unwrap());
    let run = ended(&program, &of_run).await;
    assert_eq!(run["status"], "completed", "{run}");
    for attempt in run["testResults"][0]["attempts"].as_array().unwrap() {
        let greeting = &attempt["call"]["artifact"]["messages"][0]["message"];
        let greeting = greeting.as_str().unwrap();
        assert!(greeting.starts_with("Good evening. "), "{run}");
        assert_eq!(attempt["scorerResults"][0]["result"], "pass", "{run}");
    }
}

#[tokio::test]
async fn what_cannot_be_tested_is_refused_in_so_many_words() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let suite = program.made("/test-suite", json!({})).await;
    let path = format!("/test-suite/{}", suite["id"].as_str().unwrap());
    let (tests, run) = (format!("{path}/test"), format!("{path}/run"));
    refused(program.post(&run, json!({})).await, 400, "field-invalid").await;
    let ai = json!({"type": "ai", "rubric": "Is it kind?"});
    let made = program.made(&tests, test(ai)).await;
    refused(program.post(&run, json!({})).await, 501, "not-offered").await;
    let other = program.made("/test-suite", json!({})).await;
    let elsewhere = format!(
        "/test-suite/{}/test/{}",
        other["id"].as_str().unwrap(),
        made["id"].as_str().unwrap()
    );
    refused(
        program.ask(Method::GET, &elsewhere).await,
        404,
        "resource-not-found",
    )
    .await;
    refused(
        program.ask(Method::DELETE, &elsewhere).await,
        404,
        "resource-not-found",
    )
    .await;
}
