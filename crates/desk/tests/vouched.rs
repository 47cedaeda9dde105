//! Signing in on the word of an identity provider, told once and run on each database.
#![allow(clippy::unwrap_used)]

mod story;

use desk::{Desk, Role, SignInError, SignedIn, State, Vouched, Who};
use story::{MINUTE, Person, Scene, at, new_account, secret};

const PROVIDER: &str = "https://id.line.example";

fn vouched(subject: &str, sign_in_name: Option<&str>) -> Vouched {
    Vouched {
        issuer: PROVIDER.to_owned(),
        subject: secret(subject),
        sign_in_name: sign_in_name.map(|name| name.parse().unwrap()),
    }
}

async fn comes(desk: &Desk, vouched: &Vouched, second: i64) -> Result<SignedIn, SignInError> {
    desk.sign_in_vouched(vouched, None, at(second)).await
}

fn is_refused(outcome: Result<SignedIn, SignInError>) -> bool {
    matches!(outcome, Err(SignInError::Refused))
}

async fn whats(desk: &Desk) -> Vec<String> {
    let entries = desk.audit(None, 100).await.unwrap();
    entries.into_iter().rev().map(|entry| entry.what).collect()
}

/// A desk with an administrator; an officer is invited who has set nothing up.
async fn invited(desk: &Desk) -> desk::AccountId {
    let first = new_account("first@line.example", Role::Administrator);
    desk.invite(Who::CommandLine, first, at(0)).await.unwrap();
    let officer = new_account("mei@line.example", Role::Officer);
    let invited = desk.invite(Who::CommandLine, officer, at(0)).await.unwrap();
    invited.account.id
}

async fn who_was_invited_signs_in_without_a_password_of_ours(scene: Scene) {
    let desk = scene.desk.clone();
    let id = invited(&desk).await;
    let signed_in = comes(&desk, &vouched("7", Some("mei@line.example")), MINUTE).await;
    let signed_in = signed_in.unwrap();
    assert_eq!(signed_in.account.id, id);
    assert_eq!(signed_in.account.state, State::Active);
    let token = signed_in.token.expose_secret();
    let signed = scene
        .beside()
        .await
        .signed(token, at(MINUTE))
        .await
        .unwrap();
    assert_eq!(signed.unwrap().account.id, id);
    assert_eq!(whats(&desk).await.last().unwrap(), "signed in by provider");
    let rows = scene.rows("desk_accounts").await;
    assert!(
        !rows.contains(PROVIDER),
        "its name there is not kept: {rows}"
    );
}

async fn nobody_gets_an_account_by_being_vouched_for(scene: Scene) {
    let desk = scene.desk;
    invited(&desk).await;
    assert!(is_refused(
        comes(&desk, &vouched("8", Some("eve@line.example")), MINUTE).await
    ));
    assert!(is_refused(comes(&desk, &vouched("8", None), MINUTE).await));
    assert_eq!(desk.accounts(at(MINUTE)).await.unwrap().len(), 2);
    assert_eq!(whats(&desk).await.last().unwrap(), "sign-in refused");
}

async fn from_the_first_time_on_the_person_counts_and_not_the_address(scene: Scene) {
    let desk = scene.desk;
    let id = invited(&desk).await;
    let mei = vouched("7", Some("mei@line.example"));
    comes(&desk, &mei, MINUTE).await.unwrap();
    // Her address is somebody else's now, and she has another.
    let heir = vouched("9", Some("mei@line.example"));
    assert!(is_refused(comes(&desk, &heir, 2 * MINUTE).await));
    for later in [
        vouched("7", Some("mei.tan@line.example")),
        vouched("7", Some("first@line.example")),
        vouched("7", None),
    ] {
        let signed_in = comes(&desk, &later, 3 * MINUTE).await.unwrap();
        assert_eq!(signed_in.account.id, id);
    }
    // The same name at another provider is another person's.
    let elsewhere = Vouched {
        issuer: "https://id.elsewhere.example".to_owned(),
        ..mei
    };
    assert!(is_refused(comes(&desk, &elsewhere, 4 * MINUTE).await));
}

async fn who_is_invited_again_may_be_another_person_at_the_provider(scene: Scene) {
    let desk = scene.desk;
    let id = invited(&desk).await;
    let before = vouched("7", Some("mei@line.example"));
    comes(&desk, &before, MINUTE).await.unwrap();
    let again = desk.invite_again(Who::CommandLine, id, at(2 * MINUTE));
    again.await.unwrap();
    let anew = vouched("9", Some("mei@line.example"));
    comes(&desk, &anew, 3 * MINUTE).await.unwrap();
    assert!(is_refused(comes(&desk, &before, 4 * MINUTE).await));
}

async fn a_closed_account_opens_to_nobody(scene: Scene) {
    let desk = scene.desk;
    let id = invited(&desk).await;
    let mei = vouched("7", Some("mei@line.example"));
    comes(&desk, &mei, MINUTE).await.unwrap();
    let closed = desk.close_account(Who::CommandLine, id, at(2 * MINUTE));
    closed.await.unwrap();
    assert!(is_refused(comes(&desk, &mei, 3 * MINUTE).await));
}

async fn whom_a_program_enlisted_comes_by_no_provider_before_they_are_invited(scene: Scene) {
    let desk = scene.desk;
    invited(&desk).await;
    let tan = new_account("tan@line.example", Role::Officer);
    let enlisted = desk.enlist(Who::PrivateKey, tan, at(0)).await.unwrap();
    assert_eq!(enlisted.state, State::Invited);
    let vouched = vouched("8", Some("tan@line.example"));
    assert!(is_refused(comes(&desk, &vouched, MINUTE).await));
    let again = desk.invite_again(Who::CommandLine, enlisted.id, at(2 * MINUTE));
    again.await.unwrap();
    let signed_in = comes(&desk, &vouched, 3 * MINUTE).await.unwrap();
    assert_eq!(signed_in.account.id, enlisted.id);
}

async fn the_session_that_the_browser_had_ends(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let held = person.signed_in(&desk, at(MINUTE)).await;
    let vouched = vouched("7", Some("officer@line.example"));
    let signed_in = desk.sign_in_vouched(&vouched, Some(&held), at(2 * MINUTE));
    assert_ne!(*signed_in.await.unwrap().token.expose_secret(), held);
    let before = desk.signed(&held, at(2 * MINUTE)).await.unwrap();
    assert!(before.is_none());
}

macro_rules! on_each_database {
    ($($database:ident)+) => {$(
        mod $database {
            on_each_database! { @each $database,
                who_was_invited_signs_in_without_a_password_of_ours
                nobody_gets_an_account_by_being_vouched_for
                from_the_first_time_on_the_person_counts_and_not_the_address
                who_is_invited_again_may_be_another_person_at_the_provider
                a_closed_account_opens_to_nobody
                whom_a_program_enlisted_comes_by_no_provider_before_they_are_invited
                the_session_that_the_browser_had_ends
            }
        }
    )+};
    (@each $database:ident, $($story:ident)+) => {$(
        #[tokio::test]
        async fn $story() {
            super::$story(crate::story::$database().await).await;
        }
    )+};
}

on_each_database!(sqlite postgres);
