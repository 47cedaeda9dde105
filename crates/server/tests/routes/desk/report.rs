//! The morning report: who sees what of it, as numbers, as a list and as a table.

use desk::Role;
use desk::cases::{CaseKind, CaseState, EndedCall};
use flow::Agency;
use jiff::{SignedDuration, Timestamp};
use records::CallId;
use redact::Secret;
use reqwest::{StatusCode, header};

use crate::support::officer::{Officer, desk_of};
use crate::support::visitor::refused;
use crate::support::{TestServer, start_server};

const NIGHT: &str = "from=2026-11-24T10:00:00Z&until=2026-11-25T00:00:00Z";

/// A case that was entered by hand, ended so many minutes after the night began.
async fn a_case(server: &TestServer, minute: i64, agency: Option<Agency>, title: &str) -> CallId {
    let began: Timestamp = "2026-11-24T10:00:00Z".parse().unwrap();
    let ended_at = began + SignedDuration::from_mins(minute);
    let call = EndedCall {
        call_id: CallId::random(),
        kind: CaseKind::Elsewhere,
        started_at: ended_at - SignedDuration::from_mins(5),
        ended_at,
        agency,
        urgent: agency == Some(Agency::Spf),
        title: Some(Secret::new(title.to_owned())),
        number: None,
    };
    let call_id = call.call_id;
    let desk = desk_of(server).await;
    assert!(desk.make_case(call, Timestamp::now()).await.unwrap());
    call_id
}

async fn whats(server: &TestServer) -> Vec<String> {
    let entries = desk_of(server).await.audit(None, 200).await.unwrap();
    entries.into_iter().map(|entry| entry.what).collect()
}

#[tokio::test]
async fn a_report_is_the_night_in_numbers_and_case_by_case() {
    let server = start_server("").await;
    let supervisor = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let first = a_case(&server, 30, Some(Agency::Spf), "Caller in danger").await;
    let second = a_case(&server, 60, Some(Agency::Pave), "Caller at home").await;
    let third = a_case(&server, 90, None, "Caller of no agency").await;
    // Before the night, and as it is over.
    a_case(&server, -1, Some(Agency::Pave), "Caller before").await;
    a_case(&server, 14 * 60, Some(Agency::Pave), "Caller after").await;

    let report = supervisor
        .get_json(&format!("/api/desk/report?{NIGHT}"))
        .await;
    assert_eq!(report["from"], "2026-11-24T10:00:00Z");
    assert_eq!(report["until"], "2026-11-25T00:00:00Z");
    for (number, expected) in [
        ("calls", 3),
        ("urgent", 1),
        ("waiting", 3),
        ("closed", 0),
        ("transferred", 0),
        ("reachedAPerson", 0),
        ("notReached", 0),
        ("cutOff", 0),
    ] {
        assert_eq!(report[number], expected, "{number}");
    }
    assert_eq!(report["complete"], true);
    let cases = report["cases"].as_array().unwrap();
    let ids: Vec<&str> = cases
        .iter()
        .map(|it| it["callId"].as_str().unwrap())
        .collect();
    let expected = [first, second, third].map(|id| id.to_string());
    assert_eq!(ids, expected);
    assert_eq!(cases[1]["title"], "Caller at home");
    assert_eq!(cases[1]["state"], CaseState::Waiting.as_str());
    let agencies: Vec<&serde_json::Value> = report["byAgency"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["agency"])
        .collect();
    assert_eq!(
        agencies,
        ["PAVE", "SPF"]
            .map(serde_json::Value::from)
            .iter()
            .chain([&serde_json::Value::Null])
            .collect::<Vec<_>>()
    );
    assert_eq!(whats(&server).await[0], "report read");
}

#[tokio::test]
async fn an_officer_sees_the_cases_of_their_agencies_in_numbers_too() {
    let server = start_server("").await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Pave]).await;
    a_case(&server, 30, Some(Agency::Spf), "Caller in danger").await;
    let theirs = a_case(&server, 60, Some(Agency::Pave), "Caller at home").await;
    let report = officer.get_json(&format!("/api/desk/report?{NIGHT}")).await;
    assert_eq!(
        (&report["calls"], &report["urgent"]),
        (&1.into(), &0.into())
    );
    assert_eq!(report["cases"].as_array().unwrap().len(), 1);
    assert_eq!(report["cases"][0]["callId"], theirs.to_string());
    assert!(!report.to_string().contains("in danger"));
    let table = officer.get(&format!("/api/desk/report.csv?{NIGHT}")).await;
    refused(table, 403, "role-forbids").await;
}

#[tokio::test]
async fn a_table_is_taken_out_of_the_desk_with_no_formula_in_it_and_that_is_on_the_trail() {
    let server = start_server("").await;
    let supervisor = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let call = a_case(
        &server,
        30,
        Some(Agency::Pave),
        "=HYPERLINK(\"http://198.51.100.7\")",
    )
    .await;
    let table = supervisor
        .get(&format!("/api/desk/report.csv?{NIGHT}"))
        .await;
    assert_eq!(table.status(), StatusCode::OK);
    let header = |name| table.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header(header::CONTENT_TYPE), "text/csv; charset=utf-8");
    assert_eq!(
        header(header::CONTENT_DISPOSITION),
        "attachment; filename=\"nightlight-2026-11-25.csv\""
    );
    assert_eq!(header(header::CACHE_CONTROL), "no-store");
    let text = table.text().await.unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[1].starts_with(&call.to_string()), "{text}");
    assert!(lines[1].contains("\"'=HYPERLINK("), "{text}");
    assert_eq!(whats(&server).await[0], "exported");
}

#[tokio::test]
async fn a_time_that_is_none_is_refused_and_without_one_it_is_the_last_night() {
    let server = start_server("").await;
    let supervisor = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    for wrong in [
        "from=2026-11-24T10:00:00Z",
        "from=yesterday&until=today",
        "from=2026-11-24T10:00:00&until=2026-11-25T00:00:00",
        "from=2026-11-25T00:00:00Z&until=2026-11-24T10:00:00Z",
        "from=2026-10-01T00:00:00Z&until=2026-11-24T10:00:00Z",
    ] {
        let answer = supervisor.get(&format!("/api/desk/report?{wrong}")).await;
        refused(answer, 400, "parameter-invalid").await;
    }
    let report = supervisor.get_json("/api/desk/report").await;
    let moment = |name: &str| report[name].as_str().unwrap().parse::<Timestamp>().unwrap();
    let length = moment("until").duration_since(moment("from"));
    assert_eq!(length.as_hours(), 14);
    let ago = Timestamp::now().duration_since(moment("from"));
    assert!((0..24).contains(&ago.as_hours()), "{ago}");
}
