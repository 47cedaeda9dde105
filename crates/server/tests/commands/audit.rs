//! `nightlight audit verify`, as whoever runs the server runs it: what it prints, and how it ends.

use std::path::Path;
use std::process::{Command, Output};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

fn nightlight_in(place: &Path, arguments: &[&str]) -> Output {
    let url = format!("sqlite:{}", place.join("calls.db").display());
    Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .args(arguments)
        .env("NIGHTLIGHT_DATABASE", url)
        .current_dir(place)
        .output()
        .unwrap()
}

/// A desk with a trail of three entries: an account each.
fn a_desk() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for name in ["ada", "mei", "raj"] {
        let sign_in_name = format!("{name}@line.example");
        let add = ["desk", "add-officer", &sign_in_name, "--name", name];
        let added = nightlight_in(
            place.path(),
            &[&add[..], &["--agencies", "PAVE"][..]].concat(),
        );
        assert!(added.status.success(), "{added:?}");
    }
    place
}

fn verified(place: &Path, more: &[&str]) -> Output {
    nightlight_in(place, &[&["audit", "verify"][..], more].concat())
}

/// What it has one keep elsewhere.
fn head(verified: &Output) -> String {
    assert!(verified.status.success(), "{verified:?}");
    let told = String::from_utf8(verified.stdout.clone()).unwrap();
    told.lines().last().unwrap().to_owned()
}

/// Why it found the trail broken.
fn found(verified: &Output) -> String {
    assert!(!verified.status.success(), "{verified:?}");
    String::from_utf8(verified.stderr.clone()).unwrap()
}

/// Whoever has the database's file can do this to the trail, which the database itself refuses.
async fn done_to_the_trail(place: &Path, statements: [&'static str; 2]) {
    let options = SqliteConnectOptions::new().filename(place.join("calls.db"));
    let mut database = options.connect().await.unwrap();
    for statement in statements {
        let done = sqlx::query(statement).execute(&mut database).await;
        done.unwrap();
    }
    database.close().await.unwrap();
}

#[test]
fn a_trail_that_holds_is_told_with_its_head_and_holds_against_it_when_it_has_gone_on() {
    let place = a_desk();
    let kept = head(&verified(place.path(), &[]));
    let (number, hash) = kept.split_once(':').unwrap();
    assert_eq!((number, hash.len()), ("3", 64));
    let again = ["desk", "invite-again", "mei@line.example"];
    assert!(nightlight_in(place.path(), &again).status.success());
    let later = head(&verified(place.path(), &["--head", &kept]));
    assert!(later.starts_with("4:"), "{later}");
}

#[tokio::test]
async fn one_changed_byte_is_found_and_its_entry_named() {
    let place = a_desk();
    let change = [
        "DROP TRIGGER desk_audit_is_not_changed",
        "UPDATE desk_audit SET who = 'command lime' WHERE number = 2",
    ];
    done_to_the_trail(place.path(), change).await;
    let found = found(&verified(place.path(), &[]));
    assert!(found.contains("entry 2 of the audit trail"), "{found}");
}

#[tokio::test]
async fn an_end_that_was_cut_off_is_found_with_the_head_of_before() {
    let place = a_desk();
    let kept = head(&verified(place.path(), &[]));
    let cut = [
        "DROP TRIGGER desk_audit_is_not_deleted",
        "DELETE FROM desk_audit WHERE number = 3",
    ];
    done_to_the_trail(place.path(), cut).await;
    let alone = head(&verified(place.path(), &[]));
    assert!(alone.starts_with("2:"), "the trail alone cannot tell");
    let found = found(&verified(place.path(), &["--head", &kept]));
    assert!(found.contains("ends at entry 2, and once had 3"), "{found}");
}
