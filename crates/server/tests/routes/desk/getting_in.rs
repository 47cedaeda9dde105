//! Invitations, signing in, sessions, and what a stranger tries.

use desk::{Role, code_at};
use flow::Agency;
use jiff::Timestamp;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::support::officer::{Officer, PASSWORD, desk_of};
use crate::support::visitor::refused;
use crate::support::{TestServer, Visitor, start_server};

async fn post(visitor: &Visitor, path: &str, body: Value) -> reqwest::Response {
    visitor.post_json(path, body.to_string()).await
}

async fn administrator(server: &TestServer) -> Officer {
    Officer::signed_in(server, "ada", Role::Administrator, &[]).await
}

#[tokio::test]
async fn an_administrator_invites_an_officer_who_gets_in_by_the_link() {
    let server = start_server("").await;
    let administrator = administrator(&server).await;
    let new = json!({
        "name": "Mei", "signInName": "mei@line.example", "role": "officer",
        "agencies": ["PAVE"], "languages": ["en", "zh"]
    });
    let request = administrator.request(Method::POST, "/api/desk/accounts");
    let invited = request.json(&new).send().await.unwrap();
    assert_eq!(invited.status(), StatusCode::CREATED);
    let invited: Value = invited.json().await.unwrap();
    assert_eq!(invited["account"]["state"], "invited");

    let browser = server.visitor();
    let token = &invited["token"];
    let shown = post(&browser, "/api/desk/invitation", json!({"token": token})).await;
    let shown: Value = shown.json().await.unwrap();
    assert_eq!(shown["name"], "Mei");
    let app = shown["totpSecret"].as_str().unwrap();
    let code = |at| code_at(app, at).unwrap();

    let (earlier, now) = (Timestamp::now() - A_STEP, Timestamp::now());
    let accept = json!({"token": token, "password": PASSWORD, "code": code(earlier)});
    let accepted = post(&browser, "/api/desk/invitation/accept", accept.clone()).await;
    let accepted: Value = accepted.json().await.unwrap();
    assert_eq!(accepted["recoveryCodes"].as_array().unwrap().len(), 10);
    let again = post(&browser, "/api/desk/invitation/accept", accept).await;
    refused(again, 404, "invitation-not-found").await;

    let attempt =
        json!({"signInName": "mei@line.example", "password": PASSWORD, "code": code(now)});
    let signed_in = post(&browser, "/api/desk/sign-in", attempt).await;
    assert_eq!(signed_in.status(), StatusCode::OK);
    let session: Value = signed_in.json().await.unwrap();
    assert_eq!(session["account"]["languages"], json!(["en", "zh"]));
    assert_eq!(session["may"]["see-queue"], "own-agency");
    assert_eq!(session["may"]["manage-accounts"], "never");
    assert_eq!(session["recoveryCodes"], 10);
    let me = browser.get_json("/api/desk/me").await;
    assert_eq!(me["account"], session["account"]);
}

const A_STEP: std::time::Duration = std::time::Duration::from_secs(30);

#[tokio::test]
async fn what_is_wrong_with_an_acceptance_is_said_and_the_invitation_is_good_still() {
    let server = start_server("").await;
    let administrator = administrator(&server).await;
    let new = json!({"name": "Mei", "signInName": "mei@line.example", "role": "officer"});
    let request = administrator.request(Method::POST, "/api/desk/accounts");
    let invited: Value = request
        .json(&new)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let (browser, token) = (server.visitor(), &invited["token"]);
    for (password, code, field) in [
        ("short", "000000", "password"),
        (PASSWORD, "nothing", "code"),
    ] {
        let accept = json!({"token": token, "password": password, "code": code});
        let answer = post(&browser, "/api/desk/invitation/accept", accept).await;
        let error = refused(answer, 400, "field-invalid").await;
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("`{field}`")), "{message}");
    }
    let shown = post(&browser, "/api/desk/invitation", json!({"token": token})).await;
    assert_eq!(shown.status(), StatusCode::OK);
}

#[tokio::test]
async fn an_account_that_cannot_be_is_refused_by_its_field() {
    let server = start_server("").await;
    let administrator = administrator(&server).await;
    let sound = json!({"name": "Mei", "signInName": "mei@line.example", "role": "officer"});
    for (field, wrong, named) in [
        ("name", json!(" "), "name"),
        ("signInName", json!("mei"), "signInName"),
        ("role", json!("queen"), "role"),
        ("agencies", json!(["PAVE", "FBI"]), "agencies[1]"),
        ("languages", json!(["English"]), "languages[0]"),
    ] {
        let mut new = sound.clone();
        new[field] = wrong;
        let request = administrator.request(Method::POST, "/api/desk/accounts");
        let answer = request.json(&new).send().await.unwrap();
        let error = refused(answer, 400, "field-invalid").await;
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("`{named}`")), "{message}");
    }
    let path = format!("/api/desk/accounts/{}", administrator.id);
    let nameless = administrator
        .request(Method::PATCH, &path)
        .json(&json!({"name": ""}));
    refused(nameless.send().await.unwrap(), 400, "field-invalid").await;
}

#[tokio::test]
async fn nobody_changes_their_own_role_or_closes_their_own_account() {
    let server = start_server("").await;
    let administrator = administrator(&server).await;
    let path = format!("/api/desk/accounts/{}", administrator.id);
    let promoted = administrator
        .request(Method::PATCH, &path)
        .json(&json!({"role": "supervisor"}));
    refused(promoted.send().await.unwrap(), 409, "account-ones-own").await;
    let closed = administrator
        .request(Method::DELETE, &path)
        .send()
        .await
        .unwrap();
    refused(closed, 409, "account-ones-own").await;
}

#[tokio::test]
async fn whose_account_is_closed_is_out_at_once() {
    let server = start_server("").await;
    let administrator = administrator(&server).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    let path = format!("/api/desk/accounts/{}", officer.id);
    let closed = administrator
        .request(Method::DELETE, &path)
        .send()
        .await
        .unwrap();
    assert_eq!(closed.status(), StatusCode::NO_CONTENT);
    refused(officer.get("/api/desk/me").await, 401, "not-signed-in").await;
}

#[tokio::test]
async fn every_refusal_to_sign_in_is_the_same_and_a_guesser_is_locked_out_with_the_right_password_too()
 {
    let server = start_server("").await;
    let mut officer = Officer::invited(&server, "mei", Role::Officer, &[]).await;
    let code = code_at(&officer.app, Timestamp::now()).unwrap();
    let mut refusals = Vec::new();
    for (password, code) in [
        ("a lantern at 4 am", code.as_str()),
        (PASSWORD, "no code"),
        ("", ""),
        ("a lantern at 5 am", code.as_str()),
        ("a lantern at 6 am", code.as_str()),
        // Right, and too late.
        (PASSWORD, code.as_str()),
    ] {
        let answer = officer.try_to_sign_in(password, code).await;
        refusals.push(refused(answer, 401, "sign-in-refused").await);
    }
    officer.sign_in_name = String::from("nobody@line.example");
    let answer = officer.try_to_sign_in(PASSWORD, &code).await;
    refusals.push(refused(answer, 401, "sign-in-refused").await);
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
}

#[tokio::test]
async fn one_address_tries_so_often_in_a_minute_and_no_oftener() {
    let server = start_server("").await;
    let officer = Officer::invited(&server, "mei", Role::Officer, &[]).await;
    // All at once: one after the other, a slow machine takes so long that some may be tried again.
    let attempt = json!({"signInName": "nobody@line.example", "password": "", "code": ""});
    let tries = (0..31).map(|_| {
        let request = officer.request(Method::POST, "/api/desk/sign-in");
        request.json(&attempt).send()
    });
    let answers = futures_util::future::join_all(tries).await;
    let (mut tried, mut turned_away) = (0, 0);
    for answer in answers.into_iter().map(Result::unwrap) {
        match answer.status() {
            StatusCode::UNAUTHORIZED => {
                refused(answer, 401, "sign-in-refused").await;
                tried += 1;
            }
            // On a slow machine the last of so many at once wait for their turn in vain.
            StatusCode::SERVICE_UNAVAILABLE => {
                refused(answer, 503, "desk-busy").await;
                tried += 1;
            }
            _ => {
                assert!(answer.headers().contains_key(header::RETRY_AFTER));
                refused(answer, 429, "too-often").await;
                turned_away += 1;
            }
        }
    }
    assert_eq!((tried, turned_away), (30, 1));
}

#[tokio::test]
async fn a_code_of_the_app_is_good_once() {
    let server = start_server("").await;
    let mut officer = Officer::invited(&server, "mei", Role::Officer, &[]).await;
    let code = code_at(&officer.app, Timestamp::now()).unwrap();
    let first = officer.try_to_sign_in(PASSWORD, &code).await;
    assert_eq!(first.status(), StatusCode::OK);
    let overheard = officer.try_to_sign_in(PASSWORD, &code).await;
    refused(overheard, 401, "sign-in-refused").await;
}

#[tokio::test]
async fn a_sessions_cookie_is_out_of_reach_of_scripts_and_of_other_sites() {
    let server = start_server("public_origin = 'https://line.example'").await;
    let mut officer = Officer::invited(&server, "mei", Role::Officer, &[]).await;
    let signed_in = officer.sign_in().await;
    let cookie = signed_in.headers()[header::SET_COOKIE].to_str().unwrap();
    for mark in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/api/desk"] {
        assert!(cookie.contains(mark), "{mark}: {cookie}");
    }
    assert!(!cookie.contains("Max-Age"), "it ends with the browser");
}

#[tokio::test]
async fn among_several_nodes_a_sessions_cookie_reaches_the_desk_of_each() {
    let server = start_server("node_name = 'a'").await;
    let mut officer = Officer::invited(&server, "mei", Role::Officer, &[]).await;
    let signed_in = officer.sign_in().await;
    let cookie = signed_in.headers()[header::SET_COOKIE].to_str().unwrap();
    for mark in ["HttpOnly", "SameSite=Strict", "Path=/;"] {
        assert!(format!("{cookie};").contains(mark), "{mark}: {cookie}");
    }
    let out = officer.post("/node/a/api/desk/sign-out").await;
    let taken_back = out.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(format!("{taken_back};").contains("Path=/;"), "{taken_back}");
}

#[tokio::test]
async fn a_session_that_was_signed_out_is_no_good_to_whoever_has_copied_it() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[]).await;
    let out = officer.post("/api/desk/sign-out").await;
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    refused(officer.get("/api/desk/me").await, 401, "not-signed-in").await;
}

#[tokio::test]
async fn signing_in_takes_up_no_session_that_somebody_planted() {
    let server = start_server("").await;
    let mut officer = Officer::invited(&server, "mei", Role::Officer, &[]).await;
    let planted = String::from("nightlight-desk=00112233445566778899aabbccddeeff");
    officer.cookie = Some(planted.clone());
    assert_eq!(officer.sign_in().await.status(), StatusCode::OK);
    assert_ne!(officer.cookie.as_ref(), Some(&planted));
    officer.cookie = Some(planted);
    refused(officer.get("/api/desk/me").await, 401, "not-signed-in").await;
}

#[tokio::test]
async fn another_sites_page_does_nothing_with_an_officers_session() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[]).await;
    let foreign = officer
        .request(Method::PUT, "/api/desk/duty")
        .header(header::ORIGIN, "https://elsewhere.example")
        .json(&json!({"onDuty": true}));
    refused(foreign.send().await.unwrap(), 403, "origin-foreign").await;
    assert_eq!(officer.get_json("/api/desk/duty").await["onDuty"], false);
}

#[tokio::test]
async fn a_visitors_cookie_and_the_desks_do_not_know_of_each_other() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Supervisor, &[]).await;
    let visitor = server.visitor();
    visitor.get("/api/calls").await;
    refused(visitor.get("/api/desk/me").await, 401, "not-signed-in").await;
    let history = officer.get("/api/calls").await;
    assert_eq!(history.status(), StatusCode::OK, "a page open to everybody");
}

#[tokio::test]
async fn an_auditor_reads_the_trail_page_by_page_and_is_on_it() {
    let server = start_server("").await;
    let auditor = Officer::signed_in(&server, "ora", Role::Auditor, &[]).await;
    let latest = auditor.get_json("/api/desk/audit?limit=1").await;
    let entries = latest["entries"].as_array().unwrap();
    assert_eq!(entries[0]["what"], "audit trail read");
    assert_eq!(entries[0]["name"], "ora");
    let before = latest["next"].as_i64().unwrap();
    let rest = auditor
        .get_json(&format!("/api/desk/audit?before={before}"))
        .await;
    let whats: Vec<_> = rest["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["what"].as_str().unwrap())
        .collect();
    let expected = [
        "signed in",
        "invitation accepted",
        "account invited",
        "account invited",
    ];
    assert_eq!(whats, expected);
    assert_eq!(rest["next"], Value::Null);
    for wrong in ["limit=0", "limit=201", "before=x"] {
        let answer = auditor.get(&format!("/api/desk/audit?{wrong}")).await;
        refused(answer, 400, "parameter-invalid").await;
    }
    let verified = desk_of(&server).await.verify_audit(None).await.unwrap();
    assert_eq!(verified.unwrap().number, before + 1);
}
