//! What every database does for the desk, told once and run on each. Time is told.
#![allow(clippy::unwrap_used)]

mod story;

use desk::audit::Broken;
use desk::{
    AcceptError, Attempt, Change, ChangeError, Desk, InviteError, NewEntry, Role, SignInError,
    Signed, State, What, Who,
};
use flow::Agency;
use story::{HOUR, MINUTE, PASSWORD, Person, Scene, at, new_account, secret};

async fn the_first_account_is_an_administrators_and_opens_the_desk(scene: Scene) {
    let desk = scene.desk;
    assert!(!desk.is_open().await.unwrap());
    let officer = new_account("mei@line.example", Role::Officer);
    let refused = desk.invite(Who::CommandLine, officer.clone(), at(0)).await;
    assert!(matches!(refused, Err(InviteError::FirstIsAnAdministrator)));
    assert!(!desk.is_open().await.unwrap());

    let first = new_account("first@line.example", Role::Administrator);
    desk.invite(Who::CommandLine, first, at(0)).await.unwrap();
    assert!(desk.is_open().await.unwrap());
    desk.invite(Who::CommandLine, officer, at(1)).await.unwrap();
    let accounts = desk.accounts(at(2)).await.unwrap();
    let told: Vec<_> = accounts.iter().map(|it| (it.role, it.state)).collect();
    let expected = [
        (Role::Administrator, State::Invited),
        (Role::Officer, State::Invited),
    ];
    assert_eq!(told, expected, "in the order in which they were made");
}

async fn an_account_reads_as_it_was_made(scene: Scene) {
    let person = Person::with_role(&scene.desk, Role::Officer).await;
    let accounts = scene.beside().await.accounts(at(5)).await.unwrap();
    let account = accounts.iter().find(|it| it.id == person.id).unwrap();
    assert_eq!(account.name, "Mei");
    assert_eq!(account.sign_in_name.as_str(), "officer@line.example");
    assert_eq!(account.role, Role::Officer);
    assert_eq!(account.agencies, [Agency::Pave, Agency::Navh].into());
    let languages: Vec<&str> = account.languages.iter().map(|it| it.as_str()).collect();
    assert_eq!(languages, ["en", "zh"]);
    assert_eq!(account.state, State::Active);
}

async fn a_sign_in_name_is_one_accounts(scene: Scene) {
    let desk = scene.desk;
    let first = new_account("first@line.example", Role::Administrator);
    desk.invite(Who::CommandLine, first, at(0)).await.unwrap();
    let same = new_account("FIRST@line.example", Role::Officer);
    let refused = desk.invite(Who::CommandLine, same, at(0)).await;
    assert!(matches!(refused, Err(InviteError::NameTaken)));
    assert_eq!(whats(&desk).await, ["account invited"], "nothing was done");
}

async fn an_invitation_is_good_once_and_for_two_days(scene: Scene) {
    let desk = scene.desk;
    let first = new_account("first@line.example", Role::Administrator);
    let invited = desk.invite(Who::CommandLine, first, at(0)).await.unwrap();
    let token = invited.token.expose_secret();
    assert_eq!(token.len(), 64, "256 bits");
    let shown = async |token: &str, second| desk.invitation(token, at(second)).await.unwrap();
    assert!(shown(token, 48 * HOUR - 1).await.is_some());
    assert!(shown(token, 48 * HOUR).await.is_none());
    assert!(shown(&token.to_uppercase(), 1).await.is_none());
    assert!(shown("", 1).await.is_none());

    let app = shown(token, 1).await.unwrap().totp_secret;
    let code = desk::code_at(app.expose_secret(), at(1)).unwrap();
    let accept = async |password: &str, code: &str, second| {
        let (password, code) = (secret(password), secret(code));
        desk.accept(token, password, code, at(second)).await
    };
    let refused = accept("short", &code, 1).await;
    assert!(matches!(refused, Err(AcceptError::BadPassword)));
    let refused = accept(PASSWORD, "000000", 1).await;
    assert!(matches!(refused, Err(AcceptError::WrongCode)));
    let codes = accept(PASSWORD, &code, 1).await.unwrap();
    assert_eq!(codes.0.len(), 10);
    let refused = accept("another lantern", &code, 1).await;
    assert!(matches!(refused, Err(AcceptError::NoInvitation)));
    assert!(shown(token, 1).await.is_none());
}

async fn of_two_who_accept_an_invitation_at_once_one_does(scene: Scene) {
    let first = new_account("first@line.example", Role::Administrator);
    let (desk, other) = (scene.desk.clone(), scene.beside().await);
    let invited = desk.invite(Who::CommandLine, first, at(0)).await.unwrap();
    let token = invited.token.expose_secret();
    let shown = desk.invitation(token, at(0)).await.unwrap().unwrap();
    let code = desk::code_at(shown.totp_secret.expose_secret(), at(0)).unwrap();
    let (here, there) = tokio::join!(
        desk.accept(token, secret("the first of two"), secret(&code), at(0)),
        other.accept(token, secret("the other of two"), secret(&code), at(0)),
    );
    assert!(here.is_ok() != there.is_ok(), "{here:?} {there:?}");
}

async fn a_new_invitation_replaces_the_one_before_and_sets_everything_anew(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let session = person.signed_in(&desk, at(MINUTE)).await;
    let again = async || {
        let again = desk.invite_again(Who::CommandLine, person.id, at(2 * MINUTE));
        again.await.unwrap().token.expose_secret().clone()
    };
    let (earlier, later) = (again().await, again().await);
    let earlier = desk.invitation(&earlier, at(3 * MINUTE)).await.unwrap();
    assert!(earlier.is_none());
    // Until it is accepted nothing has changed.
    let before = person.sign_in(&desk, at(3 * MINUTE)).await.unwrap();
    assert_eq!(before.recovery_codes, 10);

    let anew = Person::accepting(&desk, &later, at(4 * MINUTE)).await;
    assert_eq!(anew.id, person.id);
    assert!(!is_in(&desk, &session, at(4 * MINUTE)).await);
    assert!(!is_in(&desk, before.token.expose_secret(), at(4 * MINUTE)).await);
    let with_the_old_app = person.sign_in(&desk, at(5 * MINUTE)).await;
    assert!(matches!(with_the_old_app, Err(SignInError::Refused)));
    anew.sign_in(&desk, at(6 * MINUTE)).await.unwrap();
}

async fn whoever_signs_in_is_known_by_their_token_on_every_server(scene: Scene) {
    let person = Person::with_role(&scene.desk, Role::Supervisor).await;
    let token = person.signed_in(&scene.desk, at(MINUTE)).await;
    assert_eq!(token.len(), 64, "256 bits");
    let there = scene.beside().await;
    let signed = there.signed(&token, at(2 * MINUTE)).await.unwrap().unwrap();
    assert_eq!(signed.account.id, person.id);
    assert_eq!(signed.account.role, Role::Supervisor);
    assert_eq!(signed.until, at(MINUTE + 12 * HOUR));
}

async fn a_token_that_was_changed_is_nobodys(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let token = person.signed_in(&desk, at(MINUTE)).await;
    for place in [0, 31, 63] {
        let mut changed = token.clone().into_bytes();
        changed[place] = if changed[place] == b'0' { b'1' } else { b'0' };
        let changed = String::from_utf8(changed).unwrap();
        assert!(!is_in(&desk, &changed, at(MINUTE)).await);
    }
    let of_the_database = desk::store::Digest::of(&token);
    let of_the_database = of_the_database.as_str();
    assert!(
        !is_in(&desk, of_the_database, at(MINUTE)).await,
        "who reads the database is not in"
    );
    for other in [
        "",
        &token[..63],
        &format!("{token}0"),
        &token.to_uppercase(),
    ] {
        assert!(!is_in(&desk, other, at(MINUTE)).await, "{other}");
    }
    assert!(is_in(&desk, &token, at(MINUTE)).await);
}

async fn signing_in_gives_a_new_token_and_ends_the_one_that_was_brought(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let first = person.signed_in(&desk, at(MINUTE)).await;
    let attempt = person.attempt(at(2 * MINUTE));
    let second = desk.sign_in(attempt, Some(&first), at(2 * MINUTE)).await;
    let second = second.unwrap().token.expose_secret().clone();
    assert_ne!(first, second);
    assert!(!is_in(&desk, &first, at(2 * MINUTE)).await);
    assert!(is_in(&desk, &second, at(2 * MINUTE)).await);

    // One that somebody planted beforehand is not taken over.
    let planted = "5".repeat(64);
    let attempt = person.attempt(at(3 * MINUTE));
    let third = desk.sign_in(attempt, Some(&planted), at(3 * MINUTE)).await;
    assert_ne!(*third.unwrap().token.expose_secret(), planted);
    assert!(!is_in(&desk, &planted, at(3 * MINUTE)).await);
    assert!(
        is_in(&desk, &second, at(3 * MINUTE)).await,
        "of another browser"
    );
}

async fn a_session_ends_when_it_rests_for_half_an_hour(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let token = person.signed_in(&desk, at(MINUTE)).await;
    let begun = MINUTE;
    assert!(is_in(&desk, &token, at(begun + 29 * MINUTE)).await);
    assert!(is_in(&desk, &token, at(begun + 58 * MINUTE)).await);
    assert!(!is_in(&desk, &token, at(begun + 88 * MINUTE)).await);
}

async fn who_is_on_a_line_uses_their_session_without_a_request(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let token = person.signed_in(&desk, at(MINUTE)).await;
    let signed = desk.signed(&token, at(MINUTE)).await.unwrap().unwrap();
    let is_used = async |now| desk.goes_on_in_use(&signed, at(now)).await.unwrap();
    for now in [20, 40, 60, 80] {
        assert!(is_used(MINUTE + now * MINUTE).await, "{now}");
    }
    let end = MINUTE + 110 * MINUTE;
    assert!(!is_used(end).await, "it rested after that");
    assert!(!is_in(&desk, &token, at(end)).await);

    let token = person.signed_in(&desk, at(end)).await;
    let signed = desk.signed(&token, at(end)).await.unwrap().unwrap();
    desk.sign_out(&signed, at(end)).await.unwrap();
    let goes_on = desk.goes_on_in_use(&signed, at(end)).await.unwrap();
    assert!(!goes_on, "a line keeps no session that was ended");
}

async fn who_signs_in_again_while_they_are_on_a_line_is_not_cut_off(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let signed = async |token: &str, now| desk.signed(token, at(now)).await.unwrap().unwrap();
    let talks_on = async |on: &Signed, now| desk.goes_on_in_use(on, at(now)).await.unwrap();
    let first = person.signed_in(&desk, at(MINUTE)).await;
    let on_the_line = signed(&first, MINUTE).await;
    let attempt = person.attempt(at(2 * MINUTE));
    let again = desk.sign_in(attempt, Some(&first), at(2 * MINUTE)).await;
    let again = again.unwrap().token.expose_secret().clone();
    assert!(
        !is_in(&desk, &first, at(2 * MINUTE)).await,
        "it is replaced"
    );
    for now in [3, 23, 43, 63] {
        assert!(talks_on(&on_the_line, now * MINUTE).await, "{now}");
    }
    assert!(is_in(&desk, &again, at(64 * MINUTE)).await, "it is used");

    let again = signed(&again, 65 * MINUTE).await;
    desk.sign_out(&again, at(65 * MINUTE)).await.unwrap();
    assert!(!talks_on(&on_the_line, 65 * MINUTE).await, "the last");
}

async fn who_signs_in_again_with_less_than_they_had_is_on_no_line_of_before(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let without_an_agency = Change {
        agencies: Some([Agency::Pave].into()),
        ..Change::default()
    };
    let with_another_role = Change {
        role: Some(Role::Supervisor),
        ..Change::default()
    };
    let mut now = MINUTE;
    for change in [without_an_agency, with_another_role] {
        let token = person.signed_in(&desk, at(now)).await;
        let on_the_line = desk.signed(&token, at(now)).await.unwrap().unwrap();
        let changed = desk.change_account(Who::CommandLine, person.id, change, at(now));
        changed.await.unwrap();
        let again = person.signed_in(&desk, at(now + MINUTE)).await;
        assert!(is_in(&desk, &again, at(now + MINUTE)).await);
        let talks_on = desk.goes_on_in_use(&on_the_line, at(now + MINUTE)).await;
        assert!(!talks_on.unwrap());
        now += 2 * MINUTE;
    }
}

async fn a_session_ends_after_twelve_hours_however_busy_it_is(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let token = person.signed_in(&desk, at(MINUTE)).await;
    let end = MINUTE + 12 * HOUR;
    let mut now = MINUTE;
    while now < end {
        assert!(is_in(&desk, &token, at(now)).await, "{now}");
        now += 20 * MINUTE;
    }
    assert!(!is_in(&desk, &token, at(end)).await);
}

async fn a_session_is_over_when_its_holder_signs_out_and_others_go_on(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let here = person.signed_in(&desk, at(MINUTE)).await;
    let there = person.signed_in(&desk, at(2 * MINUTE)).await;
    let signed = desk.signed(&here, at(3 * MINUTE)).await.unwrap().unwrap();
    // To ask whether it goes on is no use of it.
    assert!(desk.goes_on(&signed, at(32 * MINUTE)).await.unwrap());
    assert!(!desk.goes_on(&signed, at(34 * MINUTE)).await.unwrap());
    desk.sign_out(&signed, at(3 * MINUTE)).await.unwrap();
    assert!(!desk.goes_on(&signed, at(3 * MINUTE)).await.unwrap());
    assert!(!is_in(&desk, &here, at(3 * MINUTE)).await);
    assert!(is_in(&desk, &there, at(3 * MINUTE)).await);
}

async fn sessions_end_with_whatever_takes_from_what_their_account_may_do(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let by = Who::CommandLine;
    let change = async |change: Change, now| {
        let changed = desk.change_account(by, person.id, change, at(now)).await;
        changed.unwrap()
    };
    let token = person.signed_in(&desk, at(MINUTE)).await;
    let named = Change {
        name: Some("Mei Ling".to_owned()),
        ..Change::default()
    };
    assert_eq!(change(named, 2 * MINUTE).await.name, "Mei Ling");
    assert!(is_in(&desk, &token, at(2 * MINUTE)).await, "only a name");

    let promoted = Change {
        role: Some(Role::Supervisor),
        ..Change::default()
    };
    assert_eq!(change(promoted, 2 * MINUTE).await.role, Role::Supervisor);
    assert!(!is_in(&desk, &token, at(2 * MINUTE)).await);

    let token = person.signed_in(&desk, at(3 * MINUTE)).await;
    let signed = desk.signed(&token, at(3 * MINUTE)).await.unwrap().unwrap();
    let widened = Change {
        agencies: Some([Agency::Pave, Agency::Navh, Agency::Sos].into()),
        ..Change::default()
    };
    change(widened, 3 * MINUTE).await;
    assert!(is_in(&desk, &token, at(3 * MINUTE)).await, "only more");
    let talks_on = desk.goes_on_in_use(&signed, at(3 * MINUTE)).await.unwrap();
    assert!(talks_on, "nobody is cut off");
    let page = desk.goes_on(&signed, at(3 * MINUTE)).await.unwrap();
    assert!(!page, "it is opened anew, to ring for the other agency too");

    let elsewhere = Change {
        agencies: Some([Agency::Sos].into()),
        ..Change::default()
    };
    change(elsewhere, 4 * MINUTE).await;
    assert!(!is_in(&desk, &token, at(4 * MINUTE)).await);

    let token = person.signed_in(&desk, at(5 * MINUTE)).await;
    let closed = desk.close_account(by, person.id, at(6 * MINUTE)).await;
    closed.unwrap();
    assert!(!is_in(&desk, &token, at(6 * MINUTE)).await);
    let refused = person.sign_in(&desk, at(7 * MINUTE)).await;
    assert!(matches!(refused, Err(SignInError::Refused)));
    let again = desk.invite_again(by, person.id, at(8 * MINUTE)).await;
    assert!(matches!(again, Err(InviteError::Closed)));
}

async fn nobody_changes_their_own_role_or_closes_their_own_account(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Administrator).await;
    let by = Who::Account(person.id);
    let demoted = Change {
        role: Some(Role::Auditor),
        name: Some("Somebody".to_owned()),
        ..Change::default()
    };
    let refused = desk.change_account(by, person.id, demoted, at(1)).await;
    assert!(matches!(refused, Err(ChangeError::OnesOwn)));
    let refused = desk.close_account(by, person.id, at(1)).await;
    assert!(matches!(refused, Err(ChangeError::OnesOwn)));
    let accounts = desk.accounts(at(2)).await.unwrap();
    let own = accounts.iter().find(|it| it.id == person.id).unwrap();
    assert_eq!(
        (own.role, own.name.as_str()),
        (Role::Administrator, "Mei"),
        "all of it stays"
    );
}

async fn a_code_is_taken_once(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let with_the_invitations_own = person.sign_in(&desk, at(0)).await;
    assert!(matches!(
        with_the_invitations_own,
        Err(SignInError::Refused)
    ));
    person.sign_in(&desk, at(MINUTE)).await.unwrap();
    let again = person.sign_in(&desk, at(MINUTE + 5)).await;
    assert!(matches!(again, Err(SignInError::Refused)));
    let mut earlier = person.attempt(at(2 * MINUTE));
    earlier.code = person.attempt(at(2 * MINUTE - 30)).code;
    person.sign_in(&desk, at(2 * MINUTE)).await.unwrap();
    let earlier = desk.sign_in(earlier, None, at(2 * MINUTE)).await;
    assert!(matches!(earlier, Err(SignInError::Refused)));
}

async fn of_two_who_sign_in_at_once_with_one_code_one_is_in(scene: Scene) {
    let (here, there) = (scene.desk.clone(), scene.beside().await);
    let person = Person::with_role(&here, Role::Officer).await;
    let (one, other) = tokio::join!(
        person.sign_in(&here, at(MINUTE)),
        person.sign_in(&there, at(MINUTE)),
    );
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
}

async fn a_recovery_code_signs_in_once_in_the_place_of_the_app(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let with = |code: &str| Attempt {
        code: secret(code),
        ..person.attempt(at(MINUTE))
    };
    let typed = format!(" {}", person.recovery[4].to_uppercase());
    let signed = desk.sign_in(with(&typed), None, at(MINUTE)).await.unwrap();
    assert_eq!(signed.recovery_codes, 9);
    let again = desk.sign_in(with(&typed), None, at(MINUTE)).await;
    assert!(matches!(again, Err(SignInError::Refused)));
    let other = with(&person.recovery[0]);
    desk.sign_in(other, None, at(MINUTE)).await.unwrap();
    let entries = whats(&desk).await;
    assert!(entries.contains(&"signed in by recovery code".to_owned()));
}

async fn wrong_tries_lock_an_account_and_then_the_right_password_does_not_help(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let wrong = Attempt {
        password: secret("a lantern at 4 am"),
        ..person.attempt(at(MINUTE))
    };
    for _ in 0..5 {
        let refused = desk.sign_in(wrong.clone(), None, at(MINUTE)).await;
        assert!(matches!(refused, Err(SignInError::Refused)));
    }
    let account = desk.accounts(at(MINUTE)).await.unwrap().pop().unwrap();
    assert_eq!(account.state, State::LockedUntil(at(2 * MINUTE)));
    let right = person.sign_in(&desk, at(2 * MINUTE - 1)).await;
    assert!(matches!(right, Err(SignInError::Refused)));
    // The next wrong one locks it for twice as long.
    let wrong_again = desk.sign_in(wrong, None, at(2 * MINUTE)).await;
    assert!(matches!(wrong_again, Err(SignInError::Refused)));
    let right = person.sign_in(&desk, at(4 * MINUTE - 1)).await;
    assert!(matches!(right, Err(SignInError::Refused)));
    person.sign_in(&desk, at(4 * MINUTE)).await.unwrap();
    let account = desk.accounts(at(4 * MINUTE)).await.unwrap().pop().unwrap();
    assert_eq!(account.state, State::Active);
    let locked = whats(&desk).await;
    let locked = locked.iter().filter(|what| *what == "account locked");
    assert_eq!(locked.count(), 2);
}

async fn a_wrong_code_counts_as_a_wrong_password_does(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    let wrong = Attempt {
        code: secret("not a code"),
        ..person.attempt(at(MINUTE))
    };
    for _ in 0..5 {
        let refused = desk.sign_in(wrong.clone(), None, at(MINUTE)).await;
        assert!(matches!(refused, Err(SignInError::Refused)));
    }
    let right = person.sign_in(&desk, at(MINUTE)).await;
    assert!(matches!(right, Err(SignInError::Refused)));
}

async fn every_refusal_is_the_same_and_no_name_that_was_tried_is_kept(scene: Scene) {
    let desk = scene.desk.clone();
    let person = Person::with_role(&desk, Role::Officer).await;
    let right = person.attempt(at(MINUTE));
    let tries = [
        Attempt {
            sign_in_name: "nobody-by-this-name@line.example".to_owned(),
            ..right.clone()
        },
        Attempt {
            sign_in_name: "a password typed in the wrong field".to_owned(),
            ..right.clone()
        },
        Attempt {
            // Invited, and without a password yet.
            sign_in_name: "first@line.example".to_owned(),
            ..right.clone()
        },
        Attempt {
            password: secret("wrong"),
            ..right.clone()
        },
        Attempt {
            code: secret("000000"),
            ..right
        },
    ];
    let mut answers = Vec::new();
    for attempt in tries {
        let refused = desk.sign_in(attempt, None, at(MINUTE)).await.unwrap_err();
        answers.push(refused.to_string());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let entries = desk.audit(None, 5).await.unwrap();
    assert!(entries.iter().all(|entry| entry.what == "sign-in refused"));
    let kept = format!("{entries:?}");
    assert!(
        !kept.contains("nobody-by") && !kept.contains("typed"),
        "{kept}"
    );
}

async fn the_trail_tells_who_did_what_and_holds(scene: Scene) {
    let desk = scene.desk;
    let person = Person::with_role(&desk, Role::Officer).await;
    person.sign_in(&desk, at(MINUTE)).await.unwrap();
    let told = whats(&desk).await;
    let expected = [
        "account invited",
        "account invited",
        "invitation accepted",
        "signed in",
    ];
    assert_eq!(told, expected);
    let latest = desk.audit(None, 1).await.unwrap().remove(0);
    assert_eq!(latest.number, 4);
    assert_eq!(latest.moment(), Some(at(MINUTE)));
    assert_eq!(latest.who, format!("account {}", person.id));
    let page = desk.audit(Some(3), 1).await.unwrap();
    assert_eq!(page[0].number, 2);
    let head = desk.verify_audit(None).await.unwrap().unwrap();
    assert_eq!((head.number, head.hash), (4, latest.hash));
}

async fn entries_that_come_at_once_from_several_servers_make_one_trail(scene: Scene) {
    let servers = [
        scene.desk.clone(),
        scene.beside().await,
        scene.beside().await,
    ];
    let mut noting = tokio::task::JoinSet::new();
    for number in 0..30 {
        let desk = servers[number % 3].clone();
        noting.spawn(async move { desk.note(entry(number as i64)).await.unwrap() });
    }
    while let Some(noted) = noting.join_next().await {
        noted.unwrap();
    }
    let head = scene.desk.verify_audit(None).await.unwrap().unwrap();
    assert_eq!(head.number, 30);
}

async fn the_database_itself_lets_nobody_change_the_trail(scene: Scene) {
    for second in 0..3 {
        scene.desk.note(entry(second)).await.unwrap();
    }
    let mut tries = vec![
        "UPDATE desk_audit SET who = 'nobody' WHERE number = 2",
        "DELETE FROM desk_audit WHERE number = 3",
        "DELETE FROM desk_audit",
    ];
    match scene.url.starts_with("sqlite:") {
        true => tries.extend([
            "INSERT OR REPLACE INTO desk_audit VALUES (2, 0, 'x', 'x', NULL, 'x', 'x')",
            "INSERT INTO desk_audit VALUES (9, 0, 'x', 'x', NULL, 'x', 'x')",
        ]),
        false => tries.push("TRUNCATE desk_audit"),
    }
    for statement in tries {
        let refused = scene.sql(statement).await.unwrap_err();
        assert!(
            refused.contains("the audit trail is only added to"),
            "{statement}: {refused}"
        );
    }
    let head = scene.desk.verify_audit(None).await.unwrap().unwrap();
    assert_eq!(head.number, 3);
}

async fn a_change_past_the_databases_guard_is_found_in_whatever_column(scene: Scene) {
    for second in 0..5 {
        scene.desk.note(entry(second)).await.unwrap();
    }
    let kept = scene.desk.verify_audit(None).await.unwrap().unwrap();
    let unguarded = match scene.url.starts_with("sqlite:") {
        true => "DROP TRIGGER desk_audit_is_not_changed; DROP TRIGGER desk_audit_is_not_deleted",
        false => "ALTER TABLE desk_audit DISABLE TRIGGER USER",
    };
    scene.sql(unguarded).await.unwrap();
    for (change, back) in [
        ("at = at + 1", "at = at - 1"),
        ("who = 'serves'", "who = 'server'"),
        ("what = 'report reae'", "what = 'report read'"),
        ("about = 'call'", "about = NULL"),
        ("about = ''", "about = NULL"),
        (
            "previous = 'x' || previous",
            "previous = substr(previous, 2)",
        ),
        ("hash = 'x' || hash", "hash = substr(hash, 2)"),
        ("number = 77", "number = 3"),
    ] {
        let change = format!("UPDATE desk_audit SET {change} WHERE number = 3");
        scene.sql(&change).await.unwrap();
        let found = scene.desk.verify_audit(None).await.unwrap();
        assert_eq!(found, Err(Broken::Entry(3)), "{change}");
        let back = format!("UPDATE desk_audit SET {back} WHERE number IN (3, 77)");
        scene.sql(&back).await.unwrap();
        scene.desk.verify_audit(None).await.unwrap().unwrap();
    }
    let cut = "DELETE FROM desk_audit WHERE number > 3";
    scene.sql(cut).await.unwrap();
    let alone = scene.desk.verify_audit(None).await.unwrap();
    assert!(alone.is_ok(), "the trail alone cannot tell");
    let found = scene.desk.verify_audit(Some(kept)).await.unwrap();
    assert_eq!(found, Err(Broken::CutOff { found: 3, kept: 5 }));
}

fn entry(second: i64) -> NewEntry {
    NewEntry {
        at: at(second),
        who: Who::Server,
        what: What::ReportRead,
        about: None,
    }
}

async fn is_in(desk: &Desk, token: &str, now: jiff::Timestamp) -> bool {
    desk.signed(token, now).await.unwrap().is_some()
}

/// What was done, in its order.
async fn whats(desk: &Desk) -> Vec<String> {
    let entries = desk.audit(None, 1000).await.unwrap();
    entries.into_iter().rev().map(|entry| entry.what).collect()
}

macro_rules! keeps_the_contract {
    ($($database:ident)+) => {$(
        mod $database {
            keeps_the_contract! { @each $database,
                the_first_account_is_an_administrators_and_opens_the_desk
                an_account_reads_as_it_was_made
                a_sign_in_name_is_one_accounts
                an_invitation_is_good_once_and_for_two_days
                of_two_who_accept_an_invitation_at_once_one_does
                a_new_invitation_replaces_the_one_before_and_sets_everything_anew
                whoever_signs_in_is_known_by_their_token_on_every_server
                a_token_that_was_changed_is_nobodys
                signing_in_gives_a_new_token_and_ends_the_one_that_was_brought
                a_session_ends_when_it_rests_for_half_an_hour
                who_is_on_a_line_uses_their_session_without_a_request
                who_signs_in_again_while_they_are_on_a_line_is_not_cut_off
                who_signs_in_again_with_less_than_they_had_is_on_no_line_of_before
                a_session_ends_after_twelve_hours_however_busy_it_is
                a_session_is_over_when_its_holder_signs_out_and_others_go_on
                sessions_end_with_whatever_takes_from_what_their_account_may_do
                nobody_changes_their_own_role_or_closes_their_own_account
                a_code_is_taken_once
                of_two_who_sign_in_at_once_with_one_code_one_is_in
                a_recovery_code_signs_in_once_in_the_place_of_the_app
                wrong_tries_lock_an_account_and_then_the_right_password_does_not_help
                a_wrong_code_counts_as_a_wrong_password_does
                every_refusal_is_the_same_and_no_name_that_was_tried_is_kept
                the_trail_tells_who_did_what_and_holds
                entries_that_come_at_once_from_several_servers_make_one_trail
                the_database_itself_lets_nobody_change_the_trail
                a_change_past_the_databases_guard_is_found_in_whatever_column
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

keeps_the_contract!(sqlite sqlite_encrypted postgres postgres_encrypted);
