//! Credentials: what goes in secret stays so.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::visitor::refused;
use crate::support::{start_server, start_server_in_place};

const SECRET: &str = "a secret of the webhook's";

fn every_kind() -> [Value; 4] {
    [
        json!({
            "provider": "webhook", "name": "CRM",
            "authenticationPlan": {"type": "bearer", "token": SECRET, "headerName": "X-Key"},
        }),
        json!({
            "provider": "custom-credential", "name": "CRM",
            "authenticationPlan": {"type": "hmac", "algorithm": "sha256", "secretKey": SECRET},
        }),
        json!({
            "provider": "webhook", "name": "CRM",
            "authenticationPlan": {
                "type": "oauth2", "url": "https://id.example", "clientId": "c", "clientSecret": SECRET,
            },
        }),
        json!({"provider": "of-next-year", "name": "CRM", "region": "sg", "apiKey": SECRET, "deep": [{"authToken": SECRET}]}),
    ]
}

#[tokio::test]
async fn no_answer_shows_a_secret_of_a_credential_and_no_file_holds_one() {
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let settings = format!("{}\nrecords_keys = '{key}'", with_a_key());
    let server = start_server(&settings).await;
    let program = Program::of(&server);
    let mut paths = Vec::new();
    for credential in every_kind() {
        let made = program.made("/credential", credential.clone()).await;
        assert_eq!(made["provider"], credential["provider"]);
        let plan = &credential["authenticationPlan"]["type"];
        assert_eq!(&made["authenticationPlan"]["type"], plan);
        let path = format!("/credential/{}", made["id"].as_str().unwrap());
        let renamed = program.changed(&path, json!({"name": "The CRM"})).await;
        assert_eq!(renamed["name"], "The CRM");
        let read = program.get_json(&path).await;
        for shown in [made, renamed, read] {
            assert!(!shown.to_string().contains(SECRET), "{shown}");
        }
        paths.push(path);
    }
    let listed = program.get_json("/credential").await;
    assert_eq!(listed.as_array().unwrap().len(), 4);
    assert!(!listed.to_string().contains(SECRET));
    let place = server.stop().await;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let holds = bytes
                .windows(SECRET.len())
                .any(|it| it == SECRET.as_bytes());
            assert!(!holds, "{}", path.display());
        }
    }
    let server = start_server_in_place(place, &settings).await;
    let program = Program::of(&server);
    for path in paths {
        let removed = program.removed(&path).await;
        assert!(!removed.to_string().contains(SECRET));
    }
}

#[tokio::test]
async fn a_plan_that_cannot_be_carried_out_is_not_kept_and_its_secret_not_repeated() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for (plan, field) in [
        (json!({"type": "bearer"}), "`authenticationPlan.token`"),
        (
            json!({"type": SECRET, "token": "x"}),
            "`authenticationPlan.type`",
        ),
        (
            json!({"type": "hmac", "algorithm": "sha256"}),
            "`authenticationPlan.secretKey`",
        ),
    ] {
        let body = json!({"provider": "webhook", "authenticationPlan": plan});
        let refusal = program.post("/credential", body).await;
        let refusal = refused(refusal, 400, "field-invalid").await;
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains(field), "{message}");
        assert!(!message.contains(SECRET), "{message}");
    }
    // What was shown without its secret cannot take the secret's place unnoticed.
    let [kept, ..] = every_kind();
    let made = program.made("/credential", kept).await;
    let path = format!("/credential/{}", made["id"].as_str().unwrap());
    let back = json!({"authenticationPlan": made["authenticationPlan"]});
    let change = program.send(Method::PATCH, &path, back).await;
    refused(change, 400, "field-invalid").await;
}
