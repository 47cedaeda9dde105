//! Who gets a line, who gives one back, and who may join a call.

#![allow(clippy::unwrap_used)]
use std::sync::Arc;

use super::*;
use crate::client_address::ClientAddress;

/// Lines of a board with so many places.
struct Board(Arc<()>, usize);

impl Board {
    fn reserve(&self) -> Option<Arc<()>> {
        (Arc::strong_count(&self.0) <= self.1).then(|| Arc::clone(&self.0))
    }
    fn taken(&self) -> usize {
        Arc::strong_count(&self.0) - 1
    }
}

const RETURN_WITHIN: Duration = Duration::from_secs(45);

fn visitor() -> VisitorId {
    VisitorId(Uuid::new_v4())
}

#[test]
fn a_call_that_nobody_joins_gives_its_line_back_after_a_minute() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
    assert_eq!(board.taken(), 1);
    now += JOIN_WITHIN;
    lines.sweep(now);
    assert_eq!(board.taken(), 0);
    let error = lines
        .attempt(call, visitor(), now, || board.reserve())
        .unwrap_err();
    assert_eq!(error, LineError::Expired);
}

#[test]
fn a_call_whose_first_transport_fails_can_be_joined_by_the_other() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let owner = visitor();
    let call = lines.ask(owner, now, || board.reserve()).unwrap();
    let whip = lines
        .attempt(call, visitor(), now, || board.reserve())
        .unwrap();
    let socket = lines
        .attempt(call, visitor(), now, || board.reserve())
        .unwrap();
    lines.fail(call, &whip);
    assert!(lines.join(call, &whip).is_none(), "it has failed");
    let Some(Joins::Begins {
        visitor: whose,
        line,
        ..
    }) = lines.join(call, &socket)
    else {
        panic!("it was asked for, and a line was free");
    };
    assert_eq!(whose, owner);
    assert_eq!(
        lines
            .attempt(call, visitor(), now, || board.reserve())
            .unwrap_err(),
        LineError::Joined
    );
    assert_eq!(lines.leave(call, whip.session), Err(LineError::Unknown));
    assert_eq!(lines.leave(call, socket.session), Ok(Left::Live));
    drop(line);
    lines.over(call);
    assert_eq!(
        lines
            .attempt(call, visitor(), now, || board.reserve())
            .unwrap_err(),
        LineError::Expired
    );
    assert_eq!(board.taken(), 0);
}

#[test]
fn an_offer_that_comes_late_does_not_undo_the_one_that_is_connecting() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
    let attempt = || lines.attempt(call, visitor(), now, || board.reserve());
    let (connecting, sent_long_ago) = (attempt().unwrap(), attempt().unwrap());
    assert!(!connecting.cancelled.is_cancelled());
    let joins = lines.join(call, &connecting);
    assert!(matches!(joins, Some(Joins::Begins { .. })));
    assert!(!connecting.cancelled.is_cancelled());
    assert!(sent_long_ago.cancelled.is_cancelled());
    assert!(lines.join(call, &sent_long_ago).is_none());
}

#[test]
fn so_many_attempts_of_a_call_are_under_way_at_once_and_a_further_one_cancels_the_oldest() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
    let attempts = [(); USUAL_ATTEMPTS + 1].map(|()| {
        lines
            .attempt(call, visitor(), now, || board.reserve())
            .unwrap()
    });
    let cancelled: Vec<bool> = attempts
        .iter()
        .map(|attempt| attempt.cancelled.is_cancelled())
        .collect();
    assert_eq!(cancelled, [true, false, false, false, false]);
    assert!(lines.join(call, &attempts[0]).is_none());
}

#[test]
fn leaving_while_connecting_ends_the_call_and_frees_its_line() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
    let attempt = lines
        .attempt(call, visitor(), now, || board.reserve())
        .unwrap();
    assert_eq!(lines.leave(call, attempt.session), Ok(Left::BeforeItBegan));
    assert!(attempt.cancelled.is_cancelled());
    assert!(lines.join(call, &attempt).is_none());
    assert_eq!(board.taken(), 0);
}

#[test]
fn a_visitor_who_leaves_gives_up_what_waits_and_hangs_up_what_runs() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 3), Lines::default());
    let leaving = visitor();
    let waiting = lines.ask(leaving, now, || board.reserve()).unwrap();
    let joined = lines.ask(leaving, now, || board.reserve()).unwrap();
    let other = lines.ask(visitor(), now, || board.reserve()).unwrap();
    let attempt = lines
        .attempt(joined, visitor(), now, || board.reserve())
        .unwrap();
    let line = lines.join(joined, &attempt);
    assert_eq!(lines.leave_all(leaving), [joined]);
    drop(line);
    assert_eq!(board.taken(), 1, "only the other visitor's line");
    assert_eq!(lines.whose(waiting), None);
    assert!(lines.whose(other).is_some());
}

#[test]
fn a_line_held_in_vain_goes_to_the_caller_who_asks() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let idle = lines.ask(visitor(), now, || board.reserve()).unwrap();
    let refused = lines.ask(visitor(), now, || board.reserve());
    assert_eq!(
        refused.unwrap_err(),
        LineError::AllBusy,
        "the first holder is still sure of it"
    );
    now += SURE_FOR;
    let served = lines.ask(visitor(), now, || board.reserve()).unwrap();
    assert_eq!(board.taken(), 1);
    assert_eq!(
        lines
            .attempt(idle, visitor(), now, || board.reserve())
            .unwrap_err(),
        LineError::AllBusy
    );
    lines
        .attempt(served, visitor(), now, || board.reserve())
        .unwrap();
}

fn at(host: u8) -> Holder {
    Holder {
        visitor: visitor(),
        address: Some(ClientAddress::of([192, 0, 2, host].into())),
    }
}

#[test]
fn a_visitor_who_asks_for_every_line_keeps_no_caller_out() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 4), Lines::default());
    let hoarder = visitor();
    let asked = [(); 4].map(|()| lines.ask(hoarder, now, || board.reserve()).unwrap());
    for asked in asked {
        lines
            .attempt(asked, visitor(), now, || board.reserve())
            .unwrap();
    }
    let _talking = [(); 3].map(|()| {
        let served = lines.ask(visitor(), now, || board.reserve()).unwrap();
        let attempt = lines
            .attempt(served, visitor(), now, || board.reserve())
            .unwrap();
        lines.join(served, &attempt).unwrap()
    });
    let once_more = lines.ask(visitor(), now, || board.reserve());
    assert_eq!(once_more, Err(LineError::AllBusy), "nobody holds several");
    assert!(lines.ask(hoarder, now, || board.reserve()).is_err());
}

#[test]
fn an_address_whose_visitors_hold_every_line_keeps_no_caller_elsewhere_out() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 4), Lines::default());
    for _ in 0..4 {
        let asked = lines.ask(at(1), now, || board.reserve()).unwrap();
        now += Duration::from_secs(1);
        lines
            .attempt(asked, visitor(), now, || board.reserve())
            .unwrap();
    }
    let at_once = lines.ask(at(2), now, || board.reserve());
    assert_eq!(at_once, Err(LineError::AllBusy), "they may be callers");
    now += LIKELY_FOR;
    let served = lines.ask(at(2), now, || board.reserve()).unwrap();
    assert!(lines.ask(at(1), now, || board.reserve()).is_err());
    let attempt = lines
        .attempt(served, visitor(), now, || board.reserve())
        .unwrap();
    assert!(lines.join(served, &attempt).is_some());
}

#[test]
fn while_a_line_is_free_one_address_may_have_them_all() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 100), Lines::default());
    for _ in 0..100 {
        lines.ask(at(1), now, || board.reserve()).unwrap();
    }
    assert_eq!(lines.waiting(), 100);
}

#[test]
fn a_call_being_joined_keeps_its_line_until_that_attempt_is_over() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let calls = [(); 2].map(|()| {
        let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
        now += JOIN_WITHIN - Duration::from_secs(1);
        let attempt = lines
            .attempt(call, visitor(), now, || board.reserve())
            .unwrap();
        now += ATTEMPT_WITHIN;
        assert!(lines.ask(visitor(), now, || board.reserve()).is_err());
        let again = lines.attempt(call, visitor(), now, || board.reserve());
        assert_eq!(again.unwrap_err(), LineError::Expired, "no new one");
        lines.sweep(now + Duration::from_secs(1));
        assert_eq!(board.taken(), 0, "the time to join is over");
        (call, attempt)
    });
    for (call, attempt) in calls {
        assert!(lines.join(call, &attempt).is_none());
    }
}

#[test]
fn an_attempt_that_connects_in_its_time_has_the_call() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
    now += JOIN_WITHIN - Duration::from_secs(1);
    let attempt = lines
        .attempt(call, visitor(), now, || board.reserve())
        .unwrap();
    now += ATTEMPT_WITHIN;
    lines.sweep(now);
    assert!(lines.join(call, &attempt).is_some());
}

#[test]
fn a_call_that_is_begun_to_be_joined_over_and_over_keeps_no_caller_out() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let call = lines.ask(visitor(), now, || board.reserve()).unwrap();
    let mut latest = None;
    for _ in 0..=USUAL_ATTEMPTS {
        now += Duration::from_secs(6);
        latest = lines.attempt(call, visitor(), now, || board.reserve()).ok();
    }
    let served = lines.ask(visitor(), now, || board.reserve()).unwrap();
    assert!(lines.join(call, &latest.unwrap()).is_none());
    let attempt = lines
        .attempt(served, visitor(), now, || board.reserve())
        .unwrap();
    assert!(lines.join(served, &attempt).is_some());
}

#[test]
fn a_live_call_is_joined_again_by_its_own_visitor_alone() {
    let now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let owner = visitor();
    let call = lines.ask(owner, now, || board.reserve()).unwrap();
    let first = lines
        .attempt(call, visitor(), now, || board.reserve())
        .unwrap();
    let _line = lines.join(call, &first);
    let stranger = lines.attempt(call, visitor(), now, || board.reserve());
    assert_eq!(stranger.unwrap_err(), LineError::Joined);
    let tries = [(); 2].map(|()| lines.attempt(call, owner, now, || None).unwrap());
    assert!(matches!(lines.join(call, &tries[0]), Some(Joins::Returns)));
    assert!(lines.join(call, &tries[1]).is_none(), "another was first");
    assert_eq!(lines.leave(call, first.session), Err(LineError::Unknown));
    assert_eq!(lines.leave(call, tries[0].session), Ok(Left::Live));
    lines.over(call);
    let late = lines.attempt(call, owner, now, || None);
    assert_eq!(late.unwrap_err(), LineError::Expired);
}

#[test]
fn a_call_that_a_crash_cut_off_waits_for_its_visitor_alone_and_for_its_time() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let (owner, call, other) = (visitor(), Uuid::new_v4(), Uuid::new_v4());
    lines.expect_back(call, owner, now, RETURN_WITHIN);
    lines.expect_back(other, visitor(), now, RETURN_WITHIN);
    assert_eq!(board.taken(), 0, "nobody is kept out by it");
    let stranger = lines.attempt(call, visitor(), now, || board.reserve());
    assert_eq!(stranger.unwrap_err(), LineError::Unknown);
    let failed = lines.attempt(call, owner, now, || board.reserve()).unwrap();
    lines.fail(call, &failed);
    assert_eq!(board.taken(), 0);
    now += RETURN_WITHIN - Duration::from_secs(1);
    let attempt = lines.attempt(call, owner, now, || board.reserve()).unwrap();
    now += Duration::from_secs(2);
    lines.sweep(now);
    assert_eq!(lines.whose(other), None, "its time is over");
    let joins = lines.join(call, &attempt);
    assert!(matches!(
        joins,
        Some(Joins::Begins { visitor, was_cut_off: true, .. }) if visitor == owner
    ));
    drop(joins);
    lines.not_back(call);
    assert_eq!(board.taken(), 0);
    let again = lines.attempt(call, owner, now, || board.reserve());
    assert_eq!(again.unwrap_err(), LineError::Unknown, "not over");
}

#[test]
fn what_is_remembered_of_calls_that_are_gone_is_bounded() {
    let mut now = Instant::now();
    let (board, lines) = (Board(Arc::default(), 1), Lines::default());
    let first = lines.ask(visitor(), now, || board.reserve()).unwrap();
    now += JOIN_WITHIN;
    lines.sweep(now);
    for _ in 0..REMEMBERED {
        lines.over(Uuid::new_v4());
    }
    assert_eq!(
        lines
            .attempt(first, visitor(), now, || board.reserve())
            .unwrap_err(),
        LineError::Unknown
    );
}
