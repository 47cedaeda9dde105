//! The organisation and its members, who are the desk's.

use desk::{Role, Vouched};
use jiff::Timestamp;
use postgres_for_tests::PostgresServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::officer::{Officer, desk_of};
use crate::support::program::{Program, with_a_key};
use crate::support::visitor::refused;
use crate::support::{TestServer, start_server};

async fn trail(server: &TestServer) -> Vec<(String, String)> {
    let entries = desk_of(server).await.audit(None, 50).await.unwrap();
    let told = entries.into_iter().rev();
    told.map(|entry| (entry.who, entry.what)).collect()
}

async fn members(program: &Program) -> Vec<Value> {
    let members = program.get_json("/org/nightlight/user").await;
    members.as_array().unwrap().clone()
}

fn of<'m>(members: &'m [Value], email: &str) -> &'m Value {
    let mut found = members.iter().filter(|member| member["email"] == email);
    found.next().unwrap()
}

async fn is_one_organisation_with_a_name_of_its_own(settings: &str) {
    let server = start_server(&format!("max_calls = 7\n{settings}\n{}", with_a_key())).await;
    let program = Program::of(&server);
    let listed = program.get_json("/org").await;
    let read = program.get_json("/org/nightlight").await;
    assert_eq!(listed, json!([read]));
    assert_eq!(
        (&read["id"], &read["name"]),
        (&json!("nightlight"), &json!("Nightlight"))
    );
    assert_eq!(read["concurrencyLimit"], 7);
    let changed = program
        .changed("/org/nightlight", json!({"name": "Harbour line"}))
        .await;
    assert_eq!(changed["name"], "Harbour line");
    assert_eq!(changed["createdAt"], read["createdAt"]);
    assert_eq!(program.get_json("/org/nightlight").await, changed);
    // Kept and not followed it would claim what is not so.
    for claim in [
        json!({"hipaaEnabled": true}),
        json!({"concurrencyLimit": 99}),
    ] {
        let change = program.send(Method::PATCH, "/org/nightlight", claim).await;
        refused(change, 400, "field-invalid").await;
    }
    for other in ["/org/another", "/org/another/user"] {
        let asked = program.ask(Method::GET, other).await;
        refused(asked, 404, "resource-not-found").await;
    }
    assert!(members(&program).await.is_empty());
    let invite = json!({"emails": ["mei@line.example"], "role": "editor"});
    let invited = program.post("/org/nightlight/invite", invite).await;
    refused(invited, 409, "no-desk").await;
}

#[tokio::test]
async fn a_server_is_one_organisation_with_a_name_of_its_own() {
    is_one_organisation_with_a_name_of_its_own("").await;
    let database = PostgresServer::shared().database();
    is_one_organisation_with_a_name_of_its_own(&format!("database = '{database}'")).await;
}

#[tokio::test]
async fn whom_a_program_invites_gets_in_when_an_administrator_says_so_and_not_before() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let administrator = Officer::signed_in(&server, "ada", Role::Administrator, &[]).await;
    let body = json!({"emails": ["mei@line.example", "tan@line.example"], "role": "editor"});
    let made = program.post("/org/nightlight/invite", body.clone()).await;
    assert_eq!(made.status(), StatusCode::CREATED);
    let made: Value = made.json().await.unwrap();
    assert_eq!(made[0]["deskRole"], "officer");
    assert!(!made.to_string().contains("token"), "{made}");
    assert_eq!(
        of(&members(&program).await, "mei@line.example")["state"],
        "invited"
    );
    let again = program.post("/org/nightlight/invite", body).await;
    refused(again, 409, "sign-in-name-taken").await;

    let desk = desk_of(&server).await;
    let vouched = Vouched {
        issuer: "https://id.line.example".to_owned(),
        subject: String::from("7").into(),
        sign_in_name: Some("mei@line.example".parse().unwrap()),
    };
    let now = Timestamp::now();
    assert!(desk.sign_in_vouched(&vouched, None, now).await.is_err());

    let path = format!(
        "/api/desk/accounts/{}/invitation",
        made[0]["id"].as_str().unwrap()
    );
    let link = administrator.post(&path).await;
    assert_eq!(link.status(), StatusCode::CREATED);
    assert!(desk.sign_in_vouched(&vouched, None, now).await.is_ok());
    let told = trail(&server).await;
    let by_the_key = ("private key".to_owned(), "account invited".to_owned());
    assert_eq!(told.iter().filter(|it| **it == by_the_key).count(), 2);
}

#[tokio::test]
async fn no_key_makes_an_administrator_and_a_change_of_role_is_on_the_trail() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let administrator = Officer::signed_in(&server, "ada", Role::Administrator, &[]).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[]).await;
    let supervisor = Officer::signed_in(&server, "tan", Role::Supervisor, &[]).await;
    let shown = members(&program).await;
    for (email, role) in [
        ("ada@line.example", "admin"),
        ("mei@line.example", "editor"),
        ("tan@line.example", "editor"),
    ] {
        assert_eq!(of(&shown, email)["role"], role);
    }
    let change = async |id: String, role: &str| {
        let body = json!({"userId": id, "role": role});
        program
            .send(Method::PATCH, "/org/nightlight/role", body)
            .await
    };
    let raised = change(officer.id.to_string(), "admin").await;
    refused(raised, 403, "administrators-by-people").await;
    let lowered = change(administrator.id.to_string(), "viewer").await;
    refused(lowered, 403, "administrators-by-people").await;
    let invite = json!({"emails": ["eve@line.example"], "role": "admin"});
    let invited = program.post("/org/nightlight/invite", invite).await;
    refused(invited, 403, "administrators-by-people").await;
    for nobody in ["x", "00000000-0000-0000-0000-000000000000"] {
        let unknown = change(nobody.to_owned(), "viewer").await;
        refused(unknown, 404, "account-not-found").await;
    }
    // Called an editor already, and a supervisor still.
    let same = change(supervisor.id.to_string(), "editor").await;
    let same: Value = same.json().await.unwrap();
    assert_eq!(same["deskRole"], "supervisor");
    assert_eq!(officer.get("/api/desk/me").await.status(), StatusCode::OK);
    let changed = change(officer.id.to_string(), "viewer").await;
    let changed: Value = changed.json().await.unwrap();
    assert_eq!(
        (&changed["role"], &changed["deskRole"]),
        (&json!("viewer"), &json!("auditor"))
    );
    let signed_out = officer.get("/api/desk/me").await;
    refused(signed_out, 401, "not-signed-in").await;
    program
        .changed("/org/nightlight", json!({"name": "Harbour line"}))
        .await;
    let told = trail(&server).await;
    for what in ["role changed", "settings changed"] {
        assert!(
            told.contains(&("private key".to_owned(), what.to_owned())),
            "{told:?}"
        );
    }
}

async fn members_are_removed(settings: &str) {
    let server = start_server(&format!("{}\n{settings}", with_a_key())).await;
    let program = Program::of(&server);
    let administrator = Officer::signed_in(&server, "ada", Role::Administrator, &[]).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[]).await;
    let leave = async |id: &str| {
        let path = format!("/org/nightlight/member/{id}/leave");
        program.ask(Method::DELETE, &path).await
    };
    let last = leave(&administrator.id.to_string()).await;
    refused(last, 403, "administrators-by-people").await;
    let id = officer.id.to_string();
    let elsewhere = format!("/org/another/member/{id}/leave");
    let elsewhere = program.ask(Method::DELETE, &elsewhere).await;
    refused(elsewhere, 404, "resource-not-found").await;
    assert_eq!(officer.get("/api/desk/me").await.status(), StatusCode::OK);

    let removed = leave(&id).await;
    assert_eq!(removed.status(), StatusCode::OK);
    let removed: Value = removed.json().await.unwrap();
    assert_eq!(
        (&removed["email"], &removed["state"]),
        (&json!("mei@line.example"), &json!("closed"))
    );
    let signed_out = officer.get("/api/desk/me").await;
    refused(signed_out, 401, "not-signed-in").await;
    let left = members(&program).await;
    assert_eq!(of(&left, "ada@line.example")["state"], "active");
    assert!(left.iter().all(|it| it["email"] != "mei@line.example"));
    for nobody in [id.as_str(), "x", "00000000-0000-0000-0000-000000000000"] {
        refused(leave(nobody).await, 404, "account-not-found").await;
    }
    let closed = ("private key".to_owned(), "account closed".to_owned());
    let told = trail(&server).await;
    assert_eq!(
        told.iter().filter(|it| **it == closed).count(),
        1,
        "{told:?}"
    );
}

#[tokio::test]
async fn a_program_removes_members_and_no_administrator() {
    members_are_removed("").await;
    let database = PostgresServer::shared().database();
    members_are_removed(&format!("database = '{database}'")).await;
}
