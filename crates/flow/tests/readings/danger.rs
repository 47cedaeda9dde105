//! Whose call stands in danger, and is to be heard before others.

use flow::reading::{SURE, Signal, Topic, WORTH_ASKING};
use flow::{Event, Unreached};

use super::call::{Call, no, tells};

#[test]
fn a_call_stands_in_danger_while_it_is_made_sure_of_and_no_longer_where_there_is_none() {
    let mut call = Call::start();
    call.said("my days at work are too long", |reading| {
        reading.topic = Some(Topic::Work);
    });
    assert!(!call.conversation.stands_in_danger());
    let by_the_arm = "he has me by the arm";
    call.said(by_the_arm, tells(Signal::ViolenceNow, WORTH_ASKING));
    assert!(call.conversation.stands_in_danger(), "it is asked about");
    call.said("no", no);
    assert!(!call.conversation.stands_in_danger());
}

#[test]
fn a_call_for_which_help_was_called_stands_in_danger_also_where_nobody_came() {
    let mut call = Call::start();
    let words = "I do not want to live any more";
    call.said(words, tells(Signal::SuicidalDirect, SURE));
    assert!(call.conversation.stands_in_danger());
    call.hears(Event::OfficersRung);
    assert!(call.conversation.stands_in_danger());
    let why = Unreached::NobodyAnswered;
    call.hears(Event::OfficerUnreached { why });
    assert!(call.conversation.stands_in_danger());
}
