//! Calls that have ended, as the desk works on them: who sees which, and what becomes of them.

use std::time::Duration;

use desk::store::Which;
use desk::{Entry, NewEntry, Role, What, Who};
use flow::Agency;
use jiff::Timestamp;
use records::{CallId, Message, OfficerId, Role as Speaker};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use super::a_case::{WORDS, a_case, a_case_in_which, of_pave, path, said, written};
use crate::support::caller::SocketCaller;
use crate::support::officer::{Officer, desk_of};
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn a_call_that_has_ended_is_a_case_of_its_agency_with_what_was_said_in_it() {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut page = mei.on_duty().await;
    let call = server.visitor().call().await;
    let id = call["id"].as_str().unwrap().to_owned();
    let mut caller = SocketCaller::join(&call).await;
    caller.send(json!({"type": "playable"})).await;
    caller.until_the_assistant_has_spoken().await;
    caller.type_words("I don't want to live any more").await;
    page.next("ringing").await;
    let accepted = mei.post(&format!("/api/desk/calls/{id}/accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    drop(caller);
    page.next("call-over").await;
    while page.next("case").await["callId"] != id.as_str() {}

    let inside = mei.case(&id).await;
    assert_eq!(inside["case"]["kind"], "webCall");
    assert_eq!(inside["case"]["agency"], "SOS");
    assert_eq!(inside["case"]["urgent"], true);
    assert_eq!(inside["case"]["state"], "waiting");
    assert_eq!(inside["note"], inside["machineNote"]);
    let happened: Vec<(&str, &str)> = inside["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["by"].as_str().unwrap(), it["what"].as_str().unwrap()))
        .collect();
    assert_eq!(happened[0], ("Server", "The call began."));
    assert!(
        happened.contains(&("mei", "Accepted the call.")),
        "{happened:?}"
    );
    assert!(
        happened.contains(&("Assistant", "Wrote the note, for SOS, urgent.")),
        "{happened:?}"
    );
    assert_eq!(
        happened.last(),
        Some(&("Server", "Put the case into the queue."))
    );
}

#[tokio::test]
async fn a_case_tells_each_claim_with_its_words_and_the_number_that_is_safe_to_ring() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let id = a_case(&server, &mei, Agency::Pave, true).await;
    let inside = mei.case(&id).await;
    assert_eq!(inside["case"]["title"], "Caller heard him outside");
    assert_eq!(inside["callerNumber"], "+6591234567");
    let evidence = &inside["evidence"][0];
    assert_eq!(
        (evidence["claim"].as_str(), evidence["escalates"].as_bool()),
        (Some("violence now"), Some(true))
    );
    let at = evidence["messageIndex"].as_u64().unwrap() as usize;
    let message = &inside["messages"][at];
    assert_eq!(message["speaker"], "caller");
    assert!(message["text"].as_str().unwrap().contains(WORDS));
    let actions: Vec<&str> = inside["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect();
    assert!(actions.contains(&"protection-order") && actions.contains(&"rang-caller"));
    assert_eq!(
        inside["may"],
        json!({"take": true, "edit": true, "close": true, "reopen": false, "hold": true})
    );
    // As callers are told: thirty days after the call.
    let ended: Timestamp = inside["case"]["endedAt"].as_str().unwrap().parse().unwrap();
    let deleted: Timestamp = inside["case"]["deletedAt"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(deleted.duration_since(ended).as_hours(), 30 * 24);
}

#[tokio::test]
async fn of_an_officer_who_is_not_known_a_case_says_that_one_spoke() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let by = |officer| Message {
        officer,
        ..said(Speaker::Officer, "I am here.", 70.0)
    };
    let is_gone = OfficerId::random();
    let messages = vec![
        by(Some(OfficerId(mei.id.0))),
        by(Some(is_gone)),
        // As it was kept before officers were told apart.
        by(None),
    ];
    let id = a_case_in_which(&server, &mei, (Agency::Pave, true), messages).await;
    let inside = mei.case(&id).await;
    let said = inside["messages"].as_array().unwrap().iter();
    let by_officers = said.filter(|it| it["speaker"] == "officer");
    let officers: Vec<&Value> = by_officers.map(|it| &it["officer"]).collect();
    assert_eq!(officers, [&json!("mei"), &Value::Null, &Value::Null]);
}

#[tokio::test]
async fn for_an_officer_of_another_agency_there_is_no_such_case() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let ravi = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Sos]).await;
    let siti = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    assert_eq!(mei.listed("open").await, std::slice::from_ref(&id));
    assert_eq!(siti.listed("open").await, std::slice::from_ref(&id));
    assert!(ravi.listed("open").await.is_empty());
    refused(ravi.get(&path(&id, "")).await, 404, "case-not-found").await;
    refused(ravi.take(&id).await, 404, "case-not-found").await;
    let body = written(1, "SOS");
    let edited = ravi.ask(Method::PUT, &path(&id, "/note"), body).await;
    refused(edited, 404, "case-not-found").await;
    let body = json!({"kind": "task", "words": "ring", "dueAt": "2026-12-01T00:00:00Z"});
    let added = ravi
        .ask(Method::POST, &path(&id, "/follow-ups"), body)
        .await;
    refused(added, 404, "case-not-found").await;
    refused(
        mei.get("/api/desk/cases/no-id").await,
        404,
        "case-not-found",
    )
    .await;

    // One of them names a colleague who sees it.
    let body = json!({"kind": "call-back", "words": "ring", "dueAt": "2026-12-01T00:00:00Z", "ownerId": ravi.id.0});
    let owned = mei.ask(Method::POST, &path(&id, "/follow-ups"), body).await;
    refused(owned, 400, "field-invalid").await;
    let colleagues = mei.get_json("/api/desk/colleagues").await;
    let names = colleagues["colleagues"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mei", "ravi", "siti"]);
}

#[tokio::test]
async fn of_two_officers_one_has_the_case_and_of_two_edits_of_one_version_one_is_refused() {
    let server = start_server("").await;
    let [mei, raj] = [of_pave(&server, "mei").await, of_pave(&server, "raj").await];
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    let mut page = raj.on_duty().await;
    assert_eq!(mei.take(&id).await.status(), StatusCode::NO_CONTENT);
    while page.next("case").await["callId"] != id.as_str() {}
    let told = refused(raj.take(&id).await, 409, "case-taken").await;
    assert!(
        told["message"]
            .as_str()
            .unwrap()
            .starts_with("mei has this case")
    );
    assert_eq!(
        mei.take(&id).await.status(),
        StatusCode::NO_CONTENT,
        "it is theirs"
    );

    let read = raj.case(&id).await;
    assert_eq!(read["case"]["takenBy"]["name"], "mei");
    assert_eq!(read["case"]["yours"], false);
    assert_eq!(read["may"]["take"], false);
    let version = read["version"].as_i64().unwrap();
    let edited = mei
        .ask(Method::PUT, &path(&id, "/note"), written(version, "PAVE"))
        .await;
    assert_eq!(edited.status(), StatusCode::OK);
    let late = raj
        .ask(Method::PUT, &path(&id, "/note"), written(version, "PAVE"))
        .await;
    refused(late, 409, "case-changed").await;

    let inside = raj.case(&id).await;
    assert_eq!(inside["note"]["summaryTitle"], "Caller is with her sister");
    assert_eq!(
        inside["machineNote"]["summaryTitle"], "Caller heard him outside",
        "it is kept beside"
    );
    assert_eq!(inside["noteEdited"]["by"]["name"], "mei");
    assert_eq!(inside["case"]["title"], "Caller is with her sister");
}

#[tokio::test]
async fn a_case_is_closed_with_an_action_and_an_outcome_and_can_be_opened_again() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    mei.take(&id).await;
    let close = async |version: i64, outcome: &str| {
        let body = json!({"version": version, "outcome": outcome, "words": "all is well"});
        mei.ask(Method::POST, &path(&id, "/close"), body).await
    };
    refused(close(2, "helped").await, 409, "action-missing").await;
    refused(close(2, "done with").await, 400, "field-invalid").await;
    let version = mei.note_action(&id, 2).await;
    refused(close(2, "helped").await, 409, "case-changed").await;
    assert_eq!(
        close(version, "helped").await.status(),
        StatusCode::NO_CONTENT
    );
    refused(close(version + 1, "helped").await, 409, "case-closed").await;

    assert!(mei.listed("open").await.is_empty());
    assert_eq!(mei.listed("closed").await, std::slice::from_ref(&id));
    let inside = mei.case(&id).await;
    assert_eq!(inside["case"]["outcome"], "helped");
    assert_eq!(inside["actionTaken"]["actions"], json!(["counselling"]));
    assert_eq!(inside["actionTaken"]["by"]["name"], "mei");
    let now = Timestamp::now();
    let deleted: Timestamp = inside["case"]["deletedAt"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(deleted.duration_since(now).as_hours(), 14 * 24 - 1);
    assert_eq!(
        inside["may"],
        json!({"take": false, "edit": false, "close": false, "reopen": true, "hold": true})
    );

    let body = json!({"why": "she rang again"});
    let reopened = mei.ask(Method::POST, &path(&id, "/reopen"), body).await;
    assert_eq!(reopened.status(), StatusCode::NO_CONTENT);
    let inside = mei.case(&id).await;
    assert_eq!(inside["case"]["state"], "waiting");
    let last = inside["timeline"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(
        (last["what"].as_str(), last["words"].as_str()),
        (Some("Opened the case again."), Some("she rang again"))
    );
}

#[tokio::test]
async fn what_is_still_to_be_done_is_due_has_an_owner_and_is_done() {
    let server = start_server("").await;
    let [mei, raj] = [of_pave(&server, "mei").await, of_pave(&server, "raj").await];
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    let body = json!({"kind": "call-back", "words": "ring her", "dueAt": "2026-12-01T01:00:00Z", "ownerId": raj.id.0});
    let added = mei.ask(Method::POST, &path(&id, "/follow-ups"), body).await;
    assert_eq!(added.status(), StatusCode::CREATED);
    let added: Value = added.json().await.unwrap();
    assert_eq!(added["owner"]["name"], "raj");
    let list = mei.get_json("/api/desk/cases").await;
    assert_eq!(list["cases"][0]["openFollowUps"], 1);
    assert_eq!(list["cases"][0]["nextDueAt"], "2026-12-01T01:00:00Z");

    let one = path(
        &id,
        &format!("/follow-ups/{}", added["id"].as_str().unwrap()),
    );
    let change = async |body: Value| {
        let changed = raj.ask(Method::PATCH, &one, body).await;
        assert_eq!(changed.status(), StatusCode::OK);
        changed.json::<Value>().await.unwrap()
    };
    let nobodys = change(json!({"ownerId": null, "words": "ring her sister"})).await;
    assert_eq!(
        (&nobodys["owner"], nobodys["words"].as_str()),
        (&Value::Null, Some("ring her sister"))
    );
    let done = change(json!({"done": true})).await;
    assert_eq!(done["done"]["by"]["name"], "raj");
    assert_eq!(done["words"], "ring her sister", "what is left out stays");
    assert_eq!(
        mei.get_json("/api/desk/cases").await["cases"][0]["openFollowUps"],
        0
    );
    let unknown = path(&id, &format!("/follow-ups/{id}"));
    let unknown = raj
        .ask(Method::PATCH, &unknown, json!({"done": true}))
        .await;
    refused(unknown, 404, "follow-up-not-found").await;
    for body in [
        json!({"kind": "errand", "words": "ring", "dueAt": "2026-12-01T01:00:00Z"}),
        json!({"kind": "task", "words": " ", "dueAt": "2026-12-01T01:00:00Z"}),
        json!({"kind": "task", "words": "ring", "dueAt": "tomorrow"}),
    ] {
        let refusal = mei.ask(Method::POST, &path(&id, "/follow-ups"), body).await;
        let refusal = refused(refusal, 400, "field-invalid").await;
        assert!(!refusal.to_string().contains("errand"), "{refusal}");
    }
}

#[tokio::test]
async fn a_call_taken_elsewhere_is_entered_and_stands_beside_others_of_the_same_number() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let ravi = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Sos]).await;
    let before = a_case(&server, &mei, Agency::Pave, false).await;
    let entry = |number: &str| {
        let mut body = written(0, "SOS");
        body["startedAt"] = "2026-11-20T14:00:00Z".into();
        body["durationMinutes"] = 12.into();
        body["callerNumber"] = number.into();
        body
    };
    let wrong = mei
        .ask(Method::POST, "/api/desk/cases", entry("nine one two"))
        .await;
    let wrong = refused(wrong, 400, "field-invalid").await;
    assert!(!wrong.to_string().contains("nine"), "{wrong}");
    let mut later = entry("91234567");
    later["startedAt"] = "2999-01-01T00:00:00Z".into();
    let later = mei.ask(Method::POST, "/api/desk/cases", later).await;
    refused(later, 400, "field-invalid").await;

    let entered = mei
        .ask(Method::POST, "/api/desk/cases", entry("+65 9123 4567"))
        .await;
    assert_eq!(entered.status(), StatusCode::CREATED);
    let entered: Value = entered.json().await.unwrap();
    let id = entered["callId"].as_str().unwrap();
    let inside = mei.case(id).await;
    assert_eq!(inside["case"]["kind"], "elsewhere");
    assert_eq!(inside["case"]["yours"], true);
    assert_eq!(inside["case"]["durationSeconds"], 720.0);
    assert_eq!(inside["machineNote"], Value::Null);
    assert_eq!(inside["messages"], json!([]));
    assert_eq!(inside["earlier"][0]["callId"], before.as_str());
    assert_eq!(mei.case(&before).await["earlier"][0]["callId"], id);

    // Of its agency by the note: whoever has it gives it to them.
    let given = mei.post(&path(id, "/give-back")).await;
    assert_eq!(given.status(), StatusCode::NO_CONTENT);
    refused(mei.get(&path(id, "")).await, 404, "case-not-found").await;
    assert_eq!(
        mei.case(&before).await["earlier"],
        json!([]),
        "another agency's is not shown"
    );
    assert_eq!(ravi.case(id).await["earlier"], json!([]));
    let none = json!({"version": 2, "callerNumber": null});
    let none = ravi
        .ask(Method::PUT, &path(id, "/caller-number"), none)
        .await;
    assert_eq!(none.status(), StatusCode::OK);
    assert_eq!(ravi.case(id).await["callerNumber"], Value::Null);
}

#[tokio::test]
async fn a_case_that_nobody_touches_is_back_above_the_others_and_supervisors_are_told() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let siti = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let first = a_case(&server, &mei, Agency::Pave, false).await;
    let second = a_case(&server, &mei, Agency::Pave, false).await;
    mei.take(&second).await;
    let mut page = siti.on_duty().await;
    // Half an hour later, on another node.
    let later = Timestamp::now() + Duration::from_mins(31);
    let back = desk_of(&server)
        .await
        .return_untouched(Duration::from_mins(30), later)
        .await;
    assert_eq!(back.unwrap().len(), 1);
    while page.next("case").await["callId"] != second.as_str() {}
    let list = siti.get_json("/api/desk/cases").await;
    assert_eq!(list["cases"][0]["callId"], second.as_str());
    assert_eq!(list["cases"][0]["escalated"], true);
    assert_eq!(list["cases"][0]["returned"], 1);
    assert_eq!(list["cases"][0]["takenBy"], Value::Null);
    assert_eq!(list["cases"][1]["callId"], first.as_str());
    refused(
        mei.post(&path(&second, "/give-back")).await,
        409,
        "case-not-taken",
    )
    .await;
}

#[tokio::test]
async fn the_server_by_itself_puts_a_case_back_that_nobody_touched_for_the_time_that_is_set() {
    let server = start_server("case_untouched_minutes = 1").await;
    let mei = of_pave(&server, "mei").await;
    let siti = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    assert_eq!(mei.take(&id).await.status(), StatusCode::NO_CONTENT);
    let mut page = siti.on_duty().await;
    let options = SqliteConnectOptions::new().filename(server.place.path().join("calls.db"));
    let mut database = options.connect().await.unwrap();
    // Microseconds: a minute and a second.
    let aged = "UPDATE desk_cases SET touched_at = touched_at - 61000000 WHERE call_id = ?";
    let aged = sqlx::query(aged).bind(&id).execute(&mut database).await;
    assert_eq!(aged.unwrap().rows_affected(), 1);
    let back = async {
        loop {
            let list = siti.get_json("/api/desk/cases").await;
            if list["cases"][0]["returned"] == 1 {
                return list;
            }
            page.next("case").await;
        }
    };
    // It looks every three seconds.
    let back = tokio::time::timeout(Duration::from_secs(20), back).await;
    let list = back.expect("the server looks by itself");
    assert_eq!(list["cases"][0]["callId"], id.as_str());
    assert_eq!(list["cases"][0]["takenBy"], Value::Null);
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let by_itself = |entry: &Entry| {
        let about = format!("call {id}");
        entry.what == "case returned"
            && entry.who == "server"
            && entry.about.as_deref() == Some(&*about)
    };
    assert!(trail.iter().any(by_itself), "{trail:?}");
}

#[tokio::test]
async fn a_case_whose_officer_writes_a_long_note_does_not_come_back_meanwhile() {
    let server = start_server("").await;
    let [mei, ravi] = [
        of_pave(&server, "mei").await,
        of_pave(&server, "ravi").await,
    ];
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    let touch = path(&id, "/touch");
    refused(mei.post(&touch).await, 409, "case-not-taken").await;
    let (desk, now) = (desk_of(&server).await, Timestamp::now());
    let account = desk
        .account(&Which::Id(mei.id), now)
        .await
        .unwrap()
        .unwrap();
    // She has written since then.
    let taken = now - Duration::from_mins(20);
    let call = CallId(id.parse().unwrap());
    desk.take_case(&account, call, taken).await.unwrap();
    refused(ravi.post(&touch).await, 409, "case-taken").await;

    let entries = async || desk.audit(None, 100).await.unwrap().len();
    let (before, noted) = (mei.case(&id).await, entries().await);
    assert_eq!(mei.post(&touch).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(entries().await, noted, "nothing was done with it");
    let after = mei.case(&id).await;
    assert_eq!(after["version"], before["version"]);
    let half_an_hour = Duration::from_mins(30);
    let back = async |minutes| {
        let later = now + Duration::from_mins(minutes);
        let back = desk.return_untouched(half_an_hour, later).await;
        back.unwrap().len()
    };
    assert_eq!((back(29).await, back(31).await), (0, 1));
    refused(mei.post(&touch).await, 409, "case-not-taken").await;
}

#[tokio::test]
async fn the_queue_comes_in_pages() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let plain = a_case(&server, &mei, Agency::Pave, false).await;
    let urgent = a_case(&server, &mei, Agency::Pave, true).await;
    let first = mei.get_json("/api/desk/cases?limit=1").await;
    assert_eq!(first["cases"][0]["callId"], urgent.as_str(), "by risk");
    let next = first["next"].as_str().unwrap();
    let second = mei
        .get_json(&format!("/api/desk/cases?limit=1&after={next}"))
        .await;
    assert_eq!(second["cases"][0]["callId"], plain.as_str());
    assert_eq!(second["next"], Value::Null);
    for wrong in ["limit=0", "limit=x", "state=lost", "after=somewhere"] {
        let answer = mei.get(&format!("/api/desk/cases?{wrong}")).await;
        refused(answer, 400, "parameter-invalid").await;
    }
}

#[tokio::test]
async fn reading_the_queue_is_on_the_audit_trail_once_a_minute_of_each_account() {
    let server = start_server("").await;
    let [mei, ravi] = [
        of_pave(&server, "mei").await,
        of_pave(&server, "ravi").await,
    ];
    a_case(&server, &mei, Agency::Pave, false).await;
    for who in [&mei, &mei, &ravi, &mei] {
        who.get_json("/api/desk/cases").await;
    }
    let trail = desk_of(&server).await.audit(None, 50).await.unwrap();
    let views = trail.iter().filter(|entry| entry.what == "queue viewed");
    let whose: Vec<_> = views.map(|entry| entry.who.clone()).collect();
    let expected = [&ravi, &mei].map(|who| format!("account {}", who.id));
    assert_eq!(whose, expected, "newest first");
}

#[tokio::test]
async fn a_view_of_the_queue_is_not_noted_anew_because_colleagues_do_much() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    mei.get_json("/api/desk/cases").await;
    let desk = desk_of(&server).await;
    for _ in 0..60 {
        let entry = NewEntry {
            at: Timestamp::now(),
            who: Who::Server,
            what: What::ReportRead,
            about: None,
        };
        desk.note(entry).await.unwrap();
    }
    mei.get_json("/api/desk/cases").await;
    let trail = desk.audit(None, 100).await.unwrap();
    let views = trail.iter().filter(|entry| entry.what == "queue viewed");
    assert_eq!(views.count(), 1);
}

#[tokio::test]
async fn each_view_and_each_change_is_on_the_audit_trail() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let auditor = Officer::signed_in(&server, "auditor", Role::Auditor, &[]).await;
    let id = a_case(&server, &mei, Agency::Pave, false).await;
    mei.case(&id).await;
    mei.take(&id).await;
    mei.ask(Method::PUT, &path(&id, "/note"), written(2, "PAVE"))
        .await;
    let version = mei.note_action(&id, 3).await;
    let body = json!({"version": version, "outcome": "referred"});
    mei.ask(Method::POST, &path(&id, "/close"), body).await;
    let trail = auditor.get_json("/api/desk/audit").await;
    let about = format!("call {id}");
    let entries = trail["entries"].as_array().unwrap().iter().rev();
    let about_it = entries.filter(|it| it["about"] == about.as_str());
    let told: Vec<(&str, &str)> = about_it
        .map(|it| (it["name"].as_str().unwrap(), it["what"].as_str().unwrap()))
        .collect();
    let expected = [
        "case viewed",
        "case taken",
        "note edited",
        "action taken noted",
        "case closed",
    ];
    assert_eq!(told, expected.map(|what| ("mei", what)));
    assert!(!trail.to_string().contains("sister"), "no words");
}
