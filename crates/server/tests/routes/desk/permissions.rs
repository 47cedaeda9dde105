//! Every path of the desk, asked by every role. What a role may do is the table's, in `desk::permissions`; which act a path is,
//! its description says.

use desk::{Act, Extent, Role};
use flow::Agency;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use uuid::Uuid;

use super::a_case::{a_case, of_pave, written};
use super::live_calls::{a_caller, a_caller_at_risk};
use crate::support::officer::{Officer, desk_of};
use crate::support::start_server;
use crate::support::visitor::refused;

/// Those that anybody may ask: to get in.
const OPEN: [&str; 5] = [
    "/api/desk/provider",
    "/api/desk/provider/callback",
    "/api/desk/sign-in",
    "/api/desk/invitation",
    "/api/desk/invitation/accept",
];

/// What a supervisor reads without an entry of the trail: nothing that a caller said is there.
const HOLD_NO_WORDS: [&str; 10] = [
    "/api/desk/colleagues",
    "/api/desk/duty",
    "/api/desk/events",
    "/api/desk/hints",
    "/api/desk/live",
    "/api/desk/me",
    "/api/desk/nodes",
    "/api/desk/receipts",
    "/api/desk/relays",
    "/api/desk/shifts",
];

struct Path {
    method: Method,
    /// As the description has it, with the names of ids.
    named: String,
    path: String,
    act: Option<Act>,
}

fn paths_of_the_desk() -> Vec<Path> {
    let document: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    let mut paths = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        if !path.starts_with("/api/desk") {
            continue;
        }
        for (method, operation) in item.as_object().unwrap() {
            let act = operation["x-act"].as_str();
            let act = act.map(|name| {
                let mut all = Act::ALL.iter();
                *all.find(|act| act.as_str() == name)
                    .unwrap_or_else(|| panic!("{path}: {name} is no act"))
            });
            paths.push(Path {
                method: method.to_uppercase().parse().unwrap(),
                named: path.clone(),
                path: path
                    .replace("{id}", &Uuid::new_v4().to_string())
                    .replace("{followUpId}", &Uuid::new_v4().to_string()),
                act,
            });
        }
    }
    assert!(paths.len() > 20);
    paths
}

#[test]
fn every_path_of_the_desk_says_which_act_it_is_but_those_by_which_one_gets_in() {
    for Path { path, act, .. } in paths_of_the_desk() {
        assert_eq!(act.is_none(), OPEN.contains(&path.as_str()), "{path}");
    }
}

#[tokio::test]
async fn before_the_first_account_there_is_nothing_at_any_of_these_paths() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for Path {
        method, path, act, ..
    } in paths_of_the_desk()
    {
        if act.is_some() {
            let answer = visitor.send(visitor.request(method, &path)).await;
            refused(answer, 404, "path-not-found").await;
        }
    }
}

#[tokio::test]
async fn whoever_is_not_signed_in_is_let_do_nothing() {
    let server = start_server("").await;
    let mut stranger = Officer::invited(&server, "mei", Role::Supervisor, &[]).await;
    for cookie in [None, Some("nightlight-desk=0123456789abcdef")] {
        stranger.cookie = cookie.map(str::to_owned);
        for Path {
            method, path, act, ..
        } in paths_of_the_desk()
        {
            if act.is_some() {
                let answer = stranger.request(method, &path).send().await.unwrap();
                refused(answer, 401, "not-signed-in").await;
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_done_at_any_of_these_paths_for_the_page_of_another_site() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let mut asked = 0;
    for Path { method, path, .. } in paths_of_the_desk() {
        if method == Method::GET {
            continue;
        }
        // With the cookie, as a browser would send it that knew nothing of `SameSite`.
        let foreign = officer
            .request(method, &path)
            .header(header::ORIGIN, "https://elsewhere.example");
        refused(foreign.send().await.unwrap(), 403, "origin-foreign").await;
        asked += 1;
    }
    assert!(asked > 20, "{asked}");
    let still = officer.get("/api/desk/me").await;
    assert_eq!(still.status(), StatusCode::OK, "nor was she signed out");
}

#[tokio::test]
async fn each_role_is_let_do_what_the_table_says_and_nothing_else() {
    let server = start_server("").await;
    for role in Role::ALL {
        let officer = Officer::signed_in(&server, role.as_str(), role, &[Agency::Pave]).await;
        for Path {
            method, path, act, ..
        } in paths_of_the_desk()
        {
            let Some(act) = act else { continue };
            // Signing out comes last: nobody is asked again after it.
            if path.ends_with("/sign-out") {
                continue;
            }
            let answer = officer.request(method, &path).send().await.unwrap();
            let who = format!("{role} {path}");
            match role.extent(act) {
                Extent::Never => drop(refused(answer, 403, "role-forbids").await),
                Extent::OwnAgency | Extent::All => {
                    let status = answer.status().as_u16();
                    assert!(![401, 403, 500].contains(&status), "{who}: {status}");
                }
            };
        }
    }
}

#[tokio::test]
async fn whatever_shows_what_a_caller_said_leaves_an_entry_on_the_trail() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let siti = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let case = a_case(&server, &mei, Agency::Pave, false).await;
    let (_caller, call) = a_caller(&server).await;
    let desk = desk_of(&server).await;
    let entries = async || desk.audit(None, 1).await.unwrap()[0].number;
    let mut left_none = Vec::new();
    for Path {
        method, named, act, ..
    } in paths_of_the_desk()
    {
        let may = act.is_some_and(|act| Role::Supervisor.extent(act) != Extent::Never);
        if method != Method::GET || !may {
            continue;
        }
        let id = if named.contains("/live/") {
            &call
        } else {
            &case
        };
        let before = entries().await;
        let answer = siti.get(&named.replace("{id}", id)).await;
        assert_eq!(answer.status(), StatusCode::OK, "{named}");
        if entries().await == before {
            left_none.push(named);
        }
    }
    left_none.sort();
    assert_eq!(left_none, HOLD_NO_WORDS);
}

/// What every path of one case takes: each reads of it what is its own.
fn whatever_is_done() -> Value {
    let mut body = written(1, "SOS");
    let more = json!({
        "actions": ["counselling"], "words": "she is well", "outcome": "helped", "callerNumber": null, "kind": "task",
        "dueAt": "2026-12-01T00:00:00Z", "done": true, "reason": "a court asks for it", "why": "she rang again"
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[tokio::test]
async fn an_officer_finds_nothing_at_any_path_of_another_agencys_case_or_call() {
    let server = start_server("").await;
    let mei = of_pave(&server, "mei").await;
    let ravi = Officer::signed_in(&server, "ravi", Role::Officer, &[Agency::Sos]).await;
    let case = a_case(&server, &mei, Agency::Pave, false).await;
    let follow_ups = format!("/api/desk/cases/{case}/follow-ups");
    let added = mei.request(Method::POST, &follow_ups);
    let added = added.json(&whatever_is_done()).send().await.unwrap();
    let added: Value = added.json().await.unwrap();
    let follow_up = added["id"].as_str().unwrap();
    let mut desk = ravi.on_duty().await;
    let (_caller, call) = a_caller_at_risk(&server).await;
    desk.next("ringing").await;

    let mut asked = 0;
    for Path {
        method, named, act, ..
    } in paths_of_the_desk()
    {
        let own = act.is_some_and(|act| Role::Officer.extent(act) == Extent::OwnAgency);
        if !own || !named.contains("{id}") {
            continue;
        }
        // The call is for the agency of the one, and the case for that of the other.
        let (id, others, nothing) = match named.contains("/live/") {
            true => (&call, &mei, "call-not-found"),
            false => (&case, &ravi, "case-not-found"),
        };
        let path = named.replace("{id}", id);
        let path = path.replace("{followUpId}", follow_up);
        let mut request = others.request(method.clone(), &path);
        if method != Method::GET {
            request = request.json(&whatever_is_done());
        }
        refused(request.send().await.unwrap(), 404, nothing).await;
        asked += 1;
    }
    assert!(asked > 12, "{asked}");
    let still = mei.get_json(&format!("/api/desk/cases/{case}")).await;
    assert_eq!(still["case"]["state"], "waiting");
    assert_eq!(still["followUps"][0]["done"], Value::Null);
    let theirs = ravi.get_json(&format!("/api/desk/live/{call}")).await;
    assert_eq!(theirs["call"]["agency"], "SOS");
}
