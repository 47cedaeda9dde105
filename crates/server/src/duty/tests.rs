//! Who is rung for which call, who has it, and what the open pages of the desk are told of it.
#![allow(clippy::unwrap_used)]

use call::Speaker;
use desk::{Act, Role};
use flow::{EndReason, Step, TransferMode};
use redact::Secret;

use super::*;

fn account(number: u128, role: Role, agencies: &[Agency]) -> Account {
    Account {
        id: AccountId(Uuid::from_u128(number)),
        name: format!("Officer {number}"),
        sign_in_name: format!("{number}@line.example").parse().unwrap(),
        role,
        agencies: agencies.iter().copied().collect(),
        languages: ["en".parse().unwrap()].into(),
        state: desk::State::Active,
    }
}

/// With a page open, and on duty.
fn comes(room: &Arc<DutyRoom>, account: &Account) -> OpenPage {
    let page = room.open_page(account);
    room.set_on_duty(account, true);
    page
}

fn told(page: &mut OpenPage) -> Vec<Arc<News>> {
    std::iter::from_fn(|| page.news.try_recv().ok()).collect()
}

fn rung(page: &mut OpenPage) -> Vec<Vec<AccountId>> {
    let news = told(page);
    let rings = news.iter().filter_map(|news| match &**news {
        News::Ringing { desks, .. } => Some(desks.clone()),
        _ => None,
    });
    rings.collect()
}

const CALL: Uuid = Uuid::from_u128(77);

fn two() -> [Account; 2] {
    [
        account(1, Role::Officer, &[Agency::Sos]),
        account(2, Role::Officer, &[Agency::Spf]),
    ]
}

#[tokio::test(start_paused = true)]
async fn somebody_is_on_duty_who_says_so_and_has_a_page_open() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    room.set_on_duty(&mei, true);
    assert!(!room.anyone_on_duty(), "nothing could ring");
    let page = room.open_page(&mei);
    assert!(room.anyone_on_duty());
    drop(page);
    assert!(!room.anyone_on_duty());
    let _page = room.open_page(&mei);
    assert!(
        room.is_on_duty(mei.id),
        "who loads the page again need not say it again"
    );
    room.set_on_duty(&mei, false);
    assert!(!room.anyone_on_duty());
}

#[tokio::test(start_paused = true)]
async fn those_of_the_agency_are_rung_first_and_then_those_who_are_left() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (mut page, _other) = (comes(&room, &mei), comes(&room, &tan));
    room.ring(CALL, Agency::Sos, Ring::Those);
    assert_eq!(rung(&mut page), [[mei.id]]);
    assert!(room.rings(CALL, mei.id) && !room.rings(CALL, tan.id));
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert_eq!(rung(&mut page), [[tan.id]], "hers rings already");
    assert!(room.rings(CALL, mei.id) && room.rings(CALL, tan.id));
}

#[tokio::test(start_paused = true)]
async fn a_call_is_told_whose_desks_ring_for_it() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (_page, other) = (comes(&room, &mei), comes(&room, &tan));
    let rung = |whom| {
        let mut rung = room.ring(CALL, Agency::Sos, whom);
        rung.sort_by_key(|officer| officer.0);
        rung
    };
    let [first, second] = [&mei, &tan].map(|account| officer_of(account.id));
    assert_eq!(rung(Ring::Those), [first]);
    assert_eq!(rung(Ring::Everyone), [first, second], "hers rings on");
    room.decline(CALL, mei.id);
    assert_eq!(rung(Ring::Everyone), [second]);
    drop(other);
    assert!(rung(Ring::Everyone).is_empty(), "no page is open");
}

#[tokio::test(start_paused = true)]
async fn who_had_the_call_and_was_lost_is_rung_again_in_that_moment() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let _page = comes(&room, &mei);
    let officer = officer_of(mei.id);
    room.happened(CALL, &CallEvent::Started);
    room.ring(CALL, Agency::Sos, Ring::Those);
    room.stop_ringing(CALL, Some(officer));
    room.happened(CALL, &CallEvent::OfficerAccepted { officer });
    assert!(!room.rings(CALL, mei.id));
    // What the call tells is not here yet.
    assert_eq!(room.ring(CALL, Agency::Sos, Ring::Everyone), [officer]);
    room.happened(CALL, &CallEvent::OfficerNeverCame { officer });
    assert!(room.rings(CALL, mei.id));
    assert!(room.given_up().is_empty(), "she may yet come");
}

#[tokio::test(start_paused = true)]
async fn who_has_given_the_call_back_is_not_rung_for_it_until_it_is_tried_anew() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let _page = comes(&room, &mei);
    let officer = officer_of(mei.id);
    room.happened(CALL, &CallEvent::Started);
    room.ring(CALL, Agency::Sos, Ring::Those);
    room.stop_ringing(CALL, Some(officer));
    room.given_back(CALL, officer);
    assert!(room.ring(CALL, Agency::Sos, Ring::Everyone).is_empty());
    room.happened(CALL, &CallEvent::OfficerLeft { officer });
    room.set_on_duty(&mei, true);
    assert!(!room.rings(CALL, mei.id), "nor when she says it again");
    room.stop_ringing(CALL, None);
    assert_eq!(room.ring(CALL, Agency::Sos, Ring::Those), [officer]);
}

#[tokio::test(start_paused = true)]
async fn who_does_not_speak_the_callers_language_is_rung_with_everybody_else() {
    let room = Arc::<DutyRoom>::default();
    let [mut mei, _] = two();
    mei.languages = ["zh".parse().unwrap()].into();
    let _page = comes(&room, &mei);
    room.ring(CALL, Agency::Sos, Ring::Those);
    assert!(!room.rings(CALL, mei.id));
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert!(room.rings(CALL, mei.id));
}

#[tokio::test(start_paused = true)]
async fn who_comes_too_late_learns_in_the_same_moment_who_was_first() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let _page = comes(&room, &mei);
    room.happened(CALL, &CallEvent::Started);
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    room.stop_ringing(CALL, Some(officer_of(mei.id)));
    assert_eq!(room.call(CALL).unwrap().officer, Some(mei.id));
}

#[tokio::test(start_paused = true)]
async fn who_may_not_accept_calls_is_not_rung() {
    let room = Arc::<DutyRoom>::default();
    let auditor = account(3, Role::Auditor, &[Agency::Sos]);
    let _page = comes(&room, &auditor);
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert!(!room.rings(CALL, auditor.id));
}

#[tokio::test(start_paused = true)]
async fn who_has_a_call_is_rung_for_no_other() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let _page = comes(&room, &mei);
    room.happened(CALL, &CallEvent::Started);
    let officer = officer_of(mei.id);
    room.happened(CALL, &CallEvent::OfficerAccepted { officer });
    assert!(!room.anyone_on_duty());
    let reason = EndReason::Forwarded;
    room.happened(CALL, &CallEvent::Ended { reason });
    assert!(room.anyone_on_duty(), "and is free when it is over");
}

#[tokio::test(start_paused = true)]
async fn of_two_who_talk_with_a_caller_neither_is_rung_and_who_stays_has_the_call() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (_page, _other) = (comes(&room, &mei), comes(&room, &tan));
    room.happened(CALL, &CallEvent::Started);
    let [first, second] = [&mei, &tan].map(|account| officer_of(account.id));
    for officer in [first, second] {
        room.happened(CALL, &CallEvent::OfficerJoined { officer });
    }
    assert_eq!(room.call(CALL).unwrap().officer, Some(tan.id));
    assert!(!room.anyone_on_duty(), "both talk with the caller");
    room.happened(CALL, &CallEvent::OfficerLeft { officer: second });
    assert_eq!(room.call(CALL).unwrap().officer, Some(mei.id));
    assert!(room.anyone_on_duty(), "who has left is free");
    room.happened(CALL, &CallEvent::OfficerLeft { officer: first });
    assert_eq!(room.call(CALL).unwrap().officer, None);
}

#[test]
fn of_two_who_talk_with_a_caller_each_sees_the_call_of_another_agency_until_they_leave() {
    let room = Arc::<DutyRoom>::default();
    let mei = account(1, Role::Officer, &[Agency::Pave]);
    let tan = account(2, Role::Officer, &[Agency::Navh]);
    room.happened(CALL, &CallEvent::Started);
    let (mode, agency) = (TransferMode::Warm, Agency::Sos);
    room.happened(CALL, &CallEvent::Transferred { mode, agency });
    let sees = |account: &Account| {
        let case = room.case_for(CALL, account.id).unwrap();
        account.may_with(Act::SeeCase, case)
    };
    assert!(!sees(&mei) && !sees(&tan));
    let [first, second] = [&mei, &tan].map(|account| officer_of(account.id));
    room.happened(CALL, &CallEvent::OfficerJoined { officer: first });
    assert!(sees(&mei) && !sees(&tan));
    room.happened(CALL, &CallEvent::OfficerJoined { officer: second });
    assert!(sees(&mei) && sees(&tan), "one has come to the other");
    room.happened(CALL, &CallEvent::OfficerLeft { officer: first });
    assert!(!sees(&mei) && sees(&tan));
}

#[tokio::test(start_paused = true)]
async fn a_call_is_given_up_once_a_round_when_everybody_has_declined_or_gone() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (_page, other) = (comes(&room, &mei), comes(&room, &tan));
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert!(room.given_up().is_empty());
    let declined = room
        .state()
        .ringing
        .get_mut(&CALL)
        .map(|it| it.decline(mei.id));
    assert!(declined.is_some());
    assert!(room.given_up().is_empty(), "one is left");
    drop(other);
    assert!(
        room.given_up().is_empty(),
        "their page may be back in a moment"
    );
    tokio::time::advance(BACK_WITHIN).await;
    assert_eq!(room.given_up(), [CALL]);
    assert!(room.given_up().is_empty(), "it has been told");
}

#[tokio::test(start_paused = true)]
async fn everybody_whose_desk_rang_hears_who_has_the_call() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (mut page, _other) = (comes(&room, &mei), comes(&room, &tan));
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    room.stop_ringing(CALL, Some(officer_of(tan.id)));
    let news = told(&mut page);
    let over = news.iter().find_map(|news| match &**news {
        News::RingingOver {
            taken_by, desks, ..
        } => Some((*taken_by, desks.clone())),
        _ => None,
    });
    let (taken_by, desks) = over.unwrap();
    assert_eq!(taken_by, Some(tan.id));
    assert_eq!(room.name_of(tan.id).unwrap(), "Officer 2");
    assert_eq!(desks.len(), 2);
    assert!(!room.rings(CALL, mei.id));
}

#[tokio::test(start_paused = true)]
async fn a_live_call_stands_as_its_events_tell() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let officer = officer_of(mei.id);
    room.happened(CALL, &CallEvent::Started);
    let agency = Agency::Sos;
    let events = [
        (
            CallEvent::OfficersRung {
                agency,
                whom: Ring::Those,
                officers: Vec::new(),
            },
            Stage::Ringing,
            None,
        ),
        (
            CallEvent::OfficerAccepted { officer },
            Stage::Accepted,
            Some(mei.id),
        ),
        (
            CallEvent::OfficerJoined { officer },
            Stage::Officer,
            Some(mei.id),
        ),
        (CallEvent::CallerOnHold, Stage::OnHold, Some(mei.id)),
        (
            CallEvent::HoldEndsSoon {
                within: Duration::from_secs(30),
            },
            Stage::OnHold,
            Some(mei.id),
        ),
        (CallEvent::CallerOffHold, Stage::Officer, Some(mei.id)),
        (
            CallEvent::OfficersUnreached {
                why: Unreached::LineDropped,
            },
            Stage::Assistant,
            None,
        ),
    ];
    for (event, stage, has_it) in events {
        room.happened(CALL, &event);
        let call = room.call(CALL).unwrap();
        assert_eq!((call.stage, call.officer), (stage, has_it), "{event:?}");
        let ends_soon = matches!(event, CallEvent::HoldEndsSoon { .. });
        assert_eq!(call.hold_ends_at.is_some(), ends_soon, "{event:?}");
    }
    let step = Step::TakingTheAddress;
    room.happened(CALL, &CallEvent::Stepped { step });
    assert_eq!(room.call(CALL).unwrap().step, step);
    let words = Secret::new("I am frightened".to_owned());
    let heard = CallEvent::Transcript {
        speaker: Speaker::Caller,
        words,
        is_final: true,
    };
    room.happened(CALL, &heard);
    assert_eq!(room.call(CALL).unwrap().captions.len(), 1);
    let reason = EndReason::Forwarded;
    room.happened(CALL, &CallEvent::Ended { reason });
    assert!(room.call(CALL).is_none(), "nothing of it is kept here");
}

#[test]
fn what_was_said_is_not_copied_for_each_look_at_a_call() {
    let room = Arc::<DutyRoom>::default();
    room.happened(CALL, &CallEvent::Started);
    room.happened(CALL, &transcript(Speaker::Caller, "hello", true));
    let [one, other] = [(); 2].map(|()| room.call(CALL).unwrap());
    assert!(Arc::ptr_eq(&one.captions, &other.captions));
    room.happened(CALL, &transcript(Speaker::Caller, "again", true));
    let lengths = (one.captions.len(), room.call(CALL).unwrap().captions.len());
    assert_eq!(lengths, (1, 2), "each look stands as it was");
}

#[test]
fn what_is_told_of_an_open_call_shows_nothing_that_was_said() {
    let words = Words::Said(Caption {
        speaker: Speaker::Caller,
        words: Secret::new("I am frightened".to_owned()),
        at: Timestamp::UNIX_EPOCH,
        is_final: true,
    });
    let shown = format!("{words:?}");
    assert!(!shown.contains("frightened"), "{shown}");
}

fn transcript(speaker: Speaker, words: &str, is_final: bool) -> CallEvent {
    CallEvent::Transcript {
        speaker,
        words: Secret::new(words.to_owned()),
        is_final,
    }
}

/// What whoever has the call open was told of what was said, with whether it is final.
async fn said(open: &mut OpenCall) -> (String, bool) {
    match &*open.next().await.unwrap() {
        Words::Said(caption) => (caption.words.expose_secret().clone(), caption.is_final),
        Words::Noted(_) => panic!("nothing was noted"),
    }
}

#[tokio::test]
async fn what_is_said_is_told_to_who_has_the_call_open_and_is_no_news_to_others() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let mut page = room.open_page(&mei);
    assert!(room.open_call(CALL).is_none(), "it is not live");
    room.happened(CALL, &CallEvent::Started);
    room.happened(CALL, &transcript(Speaker::Caller, "Hello", true));
    let (live, mut open) = room.open_call(CALL).unwrap();
    assert_eq!(live.captions.len(), 1);
    room.happened(CALL, &transcript(Speaker::Caller, "I am", false));
    room.happened(CALL, &transcript(Speaker::Caller, "I am frightened", true));
    assert_eq!(said(&mut open).await, ("I am".to_owned(), false));
    assert_eq!(said(&mut open).await, ("I am frightened".to_owned(), true));
    assert_eq!(room.call(CALL).unwrap().captions.len(), 2, "the final ones");
    let reason = EndReason::Forwarded;
    room.happened(CALL, &CallEvent::Ended { reason });
    assert!(open.next().await.is_err(), "it is over");
    let news = told(&mut page);
    let of_words = |news: &Arc<News>| !matches!(**news, News::Call(_) | News::CallOver(_));
    assert!(!news.iter().any(of_words), "{news:?}");
}

#[test]
fn nothing_is_kept_for_who_has_closed_a_call() {
    let room = Arc::<DutyRoom>::default();
    room.happened(CALL, &CallEvent::Started);
    drop(room.open_call(CALL));
    assert_eq!(room.state().open_calls.len(), 1);
    room.happened(CALL, &transcript(Speaker::Caller, "Hello", true));
    assert!(room.state().open_calls.is_empty());
}

#[test]
fn what_is_being_said_is_told_four_times_a_second_at_most_and_the_assistants_sentences_together() {
    let began = Timestamp::UNIX_EPOCH;
    let mut live = LiveCall::begun(began);
    let mut told_at = |ms: u64, speaker, words: &str, is_final| {
        let now = began + Duration::from_millis(ms);
        let changed = live.take_in(&transcript(speaker, words, is_final), now);
        let Some(Words::Said(caption)) = changed.words else {
            return None;
        };
        Some(caption.words.expose_secret().clone())
    };
    let told = |words: &str| Some(words.to_owned());
    let assistant = Speaker::Assistant;
    assert_eq!(
        told_at(0, assistant, "I hear you.", false),
        told("I hear you.")
    );
    assert_eq!(told_at(100, assistant, "That is hard.", false), None);
    assert_eq!(
        told_at(300, assistant, "Are you safe?", false),
        told("I hear you. That is hard. Are you safe?")
    );
    let whole = "I hear you. That is hard. Are you";
    assert_eq!(
        told_at(310, assistant, whole, true),
        told(whole),
        "final ones always are"
    );
    assert_eq!(told_at(600, assistant, "Good.", false), told("Good."));
    assert_eq!(told_at(900, Speaker::Caller, "Yes", false), told("Yes"));
    assert_eq!(
        told_at(1_200, Speaker::Caller, "Yes I am", false),
        told("Yes I am")
    );
}

/// A call of hers that has just ended.
async fn has_talked(room: &Arc<DutyRoom>, account: &Account) {
    let call = Uuid::from_u128(78);
    let officer = officer_of(account.id);
    room.happened(call, &CallEvent::Started);
    room.happened(call, &CallEvent::OfficerAccepted { officer });
    room.happened(call, &CallEvent::OfficerJoined { officer });
    let reason = EndReason::Forwarded;
    room.happened(call, &CallEvent::Ended { reason });
    // What waits for the end of the wrap-up begins to.
    tokio::task::yield_now().await;
}

#[tokio::test(start_paused = true)]
async fn who_has_just_had_a_call_is_rung_when_they_have_wrapped_up() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (mut page, _other) = (comes(&room, &mei), comes(&room, &tan));
    has_talked(&room, &mei).await;
    assert!(room.is_on_duty(mei.id), "she has not gone off duty");
    assert!(room.wraps_up_until(mei.id).is_some());
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert!(!room.rings(CALL, mei.id) && room.rings(CALL, tan.id));
    tokio::time::sleep(WRAP_UP + Duration::from_millis(1)).await;
    assert!(room.wraps_up_until(mei.id).is_none());
    assert_eq!(rung(&mut page).last().unwrap(), &[mei.id], "it rings still");
}

#[tokio::test(start_paused = true)]
async fn who_says_that_they_are_on_duty_is_done_with_the_wrap_up() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let mut page = comes(&room, &mei);
    has_talked(&room, &mei).await;
    room.ring(CALL, Agency::Sos, Ring::Those);
    assert!(!room.rings(CALL, mei.id));
    told(&mut page);
    room.set_on_duty(&mei, true);
    assert!(room.rings(CALL, mei.id));
    assert!(room.wraps_up_until(mei.id).is_none());
    let news = told(&mut page);
    let of_her = |it: &Arc<News>| matches!(**it, News::Duty(of) if of == mei.id);
    assert!(news.iter().any(of_her), "her other pages learn of it");
}

#[tokio::test(start_paused = true)]
async fn a_caller_is_kept_company_until_the_only_officer_has_wrapped_up() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let _page = comes(&room, &mei);
    has_talked(&room, &mei).await;
    assert!(room.anyone_on_duty(), "she will be there within the minute");
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert!(room.given_up().is_empty());
    room.set_on_duty(&mei, false);
    assert!(!room.anyone_on_duty());
}

#[tokio::test(start_paused = true)]
async fn nobody_wraps_up_a_call_in_which_they_did_not_talk_or_where_none_is_set() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let _pages = (comes(&room, &mei), comes(&room, &tan));
    let officer = officer_of(mei.id);
    room.happened(CALL, &CallEvent::Started);
    room.happened(CALL, &CallEvent::OfficerAccepted { officer });
    let reason = EndReason::CallerEnded;
    room.happened(CALL, &CallEvent::Ended { reason });
    assert!(room.wraps_up_until(mei.id).is_none());
    let at_once = Arc::new(DutyRoom::new(Duration::ZERO));
    let _page = comes(&at_once, &mei);
    has_talked(&at_once, &mei).await;
    assert!(at_once.wraps_up_until(mei.id).is_none());
}

/// On duty, and on a call that another node has.
const BUSY: Availability = Availability {
    on_duty: true,
    busy: true,
    wraps_up_for: None,
};

#[tokio::test(start_paused = true)]
async fn who_is_on_a_call_at_another_node_is_rung_when_that_is_over() {
    let room = Arc::<DutyRoom>::default();
    let [mei, tan] = two();
    let (mut page, _other) = (comes(&room, &mei), comes(&room, &tan));
    room.set_availability(&mei, BUSY);
    assert!(room.is_on_duty(mei.id), "she has not gone off duty");
    room.ring(CALL, Agency::Sos, Ring::Everyone);
    assert!(!room.rings(CALL, mei.id) && room.rings(CALL, tan.id));
    told(&mut page);
    let free = Availability {
        busy: false,
        ..BUSY
    };
    room.set_availability(&mei, free);
    assert_eq!(rung(&mut page), [[mei.id]], "it rings still");
}

#[tokio::test(start_paused = true)]
async fn a_caller_is_not_kept_waiting_for_who_is_on_a_call_at_another_node() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let page = comes(&room, &mei);
    room.set_availability(&mei, BUSY);
    assert!(!room.anyone_on_duty());
    drop(page);
    let _page = room.open_page(&mei);
    assert!(
        room.anyone_on_duty(),
        "nobody would have said that the call is over"
    );
}

#[tokio::test(start_paused = true)]
async fn who_has_just_had_a_call_at_another_node_wraps_it_up_here_too() {
    let room = Arc::<DutyRoom>::default();
    let [mei, _] = two();
    let mut page = comes(&room, &mei);
    let wraps_up = Availability {
        on_duty: true,
        busy: false,
        wraps_up_for: Some(Duration::from_secs(20)),
    };
    room.set_availability(&mei, wraps_up);
    tokio::task::yield_now().await;
    assert!(room.anyone_on_duty(), "she will be there within the minute");
    room.ring(CALL, Agency::Sos, Ring::Those);
    assert!(!room.rings(CALL, mei.id) && room.given_up().is_empty());
    told(&mut page);
    tokio::time::sleep(Duration::from_millis(20_001)).await;
    assert_eq!(rung(&mut page), [[mei.id]]);

    let for_hours = Availability {
        wraps_up_for: Some(Duration::from_hours(9)),
        ..wraps_up
    };
    room.set_availability(&mei, for_hours);
    tokio::time::sleep(WRAP_UP + Duration::from_millis(1)).await;
    assert!(
        room.wraps_up_until(mei.id).is_none(),
        "no longer than after a call here"
    );
}
