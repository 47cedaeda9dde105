//! What a supervisor whispers to the assistant: when it is said, in which words, and when it is not.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use flow::reading::{
    Heard, HeardSignal, PlaceHeard, PlacePart, Reading, Relation, SURE, Signal, Topic, WORTH_ASKING,
};
use flow::{AssistantScript, Command, Conversation, Event, Hint, Question, Secret, Setup, Step};

#[derive(Clone)]
struct Call {
    conversation: Conversation,
    /// What the assistant said last.
    said: String,
    transfers: usize,
}

fn setup() -> Setup {
    Setup {
        called_at: "2026-11-20T23:10:00".parse().unwrap(),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    }
}

impl Call {
    fn start() -> Self {
        let mut call = Self {
            conversation: Conversation::new(setup()),
            said: String::new(),
            transfers: 0,
        };
        call.hears(Event::CallStarted);
        call
    }

    /// Who talks of a long day, and is listened to.
    fn talking() -> Self {
        let mut call = Self::start();
        call.says("my days at work are too long", low);
        call.is_asked(Question::Open);
        call
    }

    fn hears(&mut self, event: Event) -> &mut Self {
        self.conversation.handle(event, Duration::ZERO);
        let mut said = Vec::new();
        while let Some(command) = self.conversation.poll_command() {
            match command {
                Command::Say { sentence } => said.push(sentence.expose_secret().clone()),
                Command::Transfer { .. } => self.transfers += 1,
                Command::End { .. } | Command::LookedUp { .. } => {}
            }
        }
        self.said = said.join(" ");
        self
    }

    fn says(&mut self, words: &str, shape: impl FnOnce(&mut Reading)) -> &mut Self {
        let mut reading = Reading::unread(Secret::new(words.to_owned()));
        shape(&mut reading);
        self.hears(Event::CallerSaid {
            reading: Box::new(reading),
        });
        assert!(self.said.matches('?').count() <= 1, "{}", self.said);
        self
    }

    fn hinted(&mut self, hint: Hint) -> &mut Self {
        let before = self.said.clone();
        self.hears(Event::Hinted { hint });
        assert!(self.said.is_empty(), "nothing is said to it: {}", self.said);
        self.said = before;
        self
    }

    #[track_caller]
    fn heard(&mut self, words: &str) -> &mut Self {
        assert!(self.said.contains(words), "{words:?}: {}", self.said);
        self
    }

    #[track_caller]
    fn did_not_hear(&mut self, words: &str) -> &mut Self {
        assert!(!self.said.contains(words), "{words:?}: {}", self.said);
        self
    }

    #[track_caller]
    fn is_asked(&mut self, question: Question) -> &mut Self {
        let open = self.conversation.listening().question;
        assert_eq!(open, Some(question), "{}", self.said);
        self
    }
}

fn low(reading: &mut Reading) {
    reading.topic = Some(Topic::Work);
}

fn tells(signal: Signal) -> impl Fn(&mut Reading) {
    tells_from(signal, SURE)
}

fn tells_from(signal: Signal, confidence: f32) -> impl Fn(&mut Reading) {
    move |reading| {
        let words = reading.words.clone();
        let heard = HeardSignal::told(signal, words, confidence);
        reading.signals.push(heard);
    }
}

fn heard<T>(value: T, reading: &Reading) -> Heard<T> {
    Heard {
        value,
        words: reading.words.clone(),
        confidence: 0.9,
    }
}

fn placed(precise: bool) -> impl Fn(&mut Reading) {
    move |reading| {
        let place = PlaceHeard {
            name: Secret::new("Toa Payoh".to_owned()),
            precise,
            part: PlacePart::Named,
        };
        reading.place = Some(heard(place, reading));
    }
}

fn number(reading: &mut Reading) {
    reading.call_back = Some(heard(Secret::new("91234567".to_owned()), reading));
}

fn yes(reading: &mut Reading) {
    reading.answer.yes = Some(true);
    reading.answer.agreed = true;
}

fn no(reading: &mut Reading) {
    reading.answer.yes = Some(false);
    reading.answer.agreed = true;
}

#[test]
fn each_hint_is_taken_up_in_the_next_turn_in_the_assistants_own_words() {
    for (hint, words, question) in [
        (
            Hint::AskWhetherSafe,
            "about to hurt you",
            Question::DangerNow,
        ),
        (Hint::AskWhereTheyAre, "Where are you", Question::Address),
        (
            Hint::AskAboutSuicide,
            "ending your life",
            Question::Suicidal,
        ),
        (
            Hint::AskWhetherHurt,
            "hitting or hurting",
            Question::HurtBefore,
        ),
        (
            Hint::AskAboutShelter,
            "safe to stay",
            Question::NeedsShelter,
        ),
        (Hint::AskWhoKnows, "who knows about this", Question::Open),
        (
            Hint::AskForASafeNumber,
            "safe to ring you back",
            Question::CallBack,
        ),
        (Hint::SayThePoliceNumber, "999", Question::Open),
        (Hint::SayTheTextNumber, "70999", Question::Open),
        (Hint::SayTheAmbulanceNumber, "995", Question::Open),
        (Hint::SayTheSuicideLine, "1767", Question::Open),
        (Hint::SayTheAbuseLine, "1800", Question::Open),
        (Hint::SayAStepForSafety, "keep you safer", Question::Open),
        (
            Hint::SayYesOrNoIsEnough,
            "yes or a no is enough",
            Question::Open,
        ),
        (Hint::SlowDown, "breath", Question::Open),
    ] {
        let mut call = Call::talking();
        call.hinted(hint)
            .says("and nobody asks how I am", |_| {})
            .heard(words)
            .did_not_hear(hint.label())
            .is_asked(question);
        assert!(call.said.ends_with('?'), "{hint:?}: {}", call.said);
        if question != Question::Open {
            continue;
        }
        let once = call.said.clone();
        call.says("it is every day like this", |_| {});
        assert!(
            !call.said.contains(words),
            "{hint:?} again: {once} {}",
            call.said
        );
    }
}

#[test]
fn what_the_turn_asks_for_a_purpose_keeps_its_place() {
    // The flow asks whom it was done by: a question of a supervisor's waits, a number is told before it.
    let mut call = Call::talking();
    call.hinted(Hint::AskWhereTheyAre)
        .hinted(Hint::SayThePoliceNumber)
        .says("somebody at home beats me", tells(Signal::PhysicalAbuse))
        .is_asked(Question::Abuser)
        .heard("999");
    let (number, question) = (call.said.find("999"), call.said.find("husband or wife"));
    assert!(number < question, "{}", call.said);
    call.says("a stranger", |reading| {
        reading.abuser = Some(heard(Relation::Family, reading));
    });
    call.is_asked(Question::Consent).did_not_hear("Where");
    // Not shared: the turn asks on, and the hint has its turn.
    call.says("no", no).is_asked(Question::Address);
    call.says("Toa Payoh", placed(true)).heard("Toa Payoh");
    call.is_asked(Question::Open);
    assert_eq!(call.transfers, 0, "a place said on a hint shares nothing");
}

#[test]
fn one_hint_a_turn_in_their_order_and_each_once() {
    let mut call = Call::talking();
    call.hinted(Hint::AskAboutSuicide)
        .hinted(Hint::AskWhetherHurt)
        .hinted(Hint::AskAboutSuicide)
        .says("I do not sleep", |_| {})
        .is_asked(Question::Suicidal);
    // The answer is read as it is to the flow's own question.
    call.says("no", no).is_asked(Question::HurtBefore);
    call.says("no, nobody did", no).did_not_hear("suicide");
    let asked_again = [Question::Suicidal, Question::HurtBefore].map(Some);
    assert!(!asked_again.contains(&call.conversation.listening().question));
}

#[test]
fn a_yes_to_what_a_hint_asked_is_acted_on_as_ever() {
    let mut call = Call::talking();
    call.hinted(Hint::AskAboutSuicide)
        .says("I do not sleep", |_| {})
        .says("yes", yes)
        .heard("connecting");
    assert_eq!(call.transfers, 1);
    let mut call = Call::talking();
    call.hinted(Hint::AskWhetherSafe)
        .says("he comes home soon", |_| {})
        .is_asked(Question::DangerNow)
        .says("yes", yes)
        // Two questions about safety are enough: it goes on to the name.
        .is_asked(Question::Name);
}

#[test]
fn nothing_comes_beside_danger_and_what_was_whispered_goes_with_it() {
    let mut call = Call::talking();
    call.hinted(Hint::SlowDown)
        .hinted(Hint::AskWhoKnows)
        .says("he is hitting me", tells(Signal::ViolenceNow))
        .is_asked(Question::SafeToTalk)
        .did_not_hear("breath");
    call.says("no", no).is_asked(Question::Name);
    call.says("I will not say", |reading| reading.answer.refuses = true)
        .says("Toa Payoh", placed(true))
        .heard("connecting");
    call.hears(Event::OfficersRung);
    call.hinted(Hint::SlowDown)
        .says("hurry", |_| {})
        .did_not_hear("breath");
    let why = flow::Unreached::NobodyAnswered;
    call.hears(Event::OfficerUnreached { why });
    call.says("no number", |reading| reading.answer.refuses = true)
        .says("what now", |_| {})
        .did_not_hear("breath")
        .did_not_hear("knows");
}

#[test]
fn while_a_danger_is_made_sure_of_a_hint_waits() {
    let mut call = Call::talking();
    call.hinted(Hint::SlowDown)
        .says(
            "he has me by the arm",
            tells_from(Signal::ViolenceNow, WORTH_ASKING),
        )
        .is_asked(Question::DangerNow)
        .did_not_hear("breath")
        .says("no", no)
        .heard("breath");
}

#[test]
fn the_police_are_told_the_address_however_it_was_asked_before() {
    let mut call = Call::talking();
    call.hinted(Hint::AskWhereTheyAre)
        .says("and nobody asks how I am", |_| {})
        .is_asked(Question::Address)
        .says("in Toa Payoh", placed(false))
        .says("he is hitting me", tells(Signal::ViolenceNow))
        .says("no", no)
        .says("Mei Ling", |reading| {
            reading.name = Some(heard(Secret::new("Mei Ling".to_owned()), reading));
        })
        .is_asked(Question::Address);
}

#[test]
fn a_hint_that_does_not_fit_any_more_is_dropped() {
    type Before = fn(&mut Call);
    let table: [(Hint, Before); 6] = [
        (Hint::AskWhereTheyAre, |call| {
            call.says("I am at Toa Payoh", placed(true));
        }),
        (Hint::AskWhetherSafe, |call| {
            call.hinted(Hint::AskWhetherSafe)
                .says("he comes home soon", |_| {})
                .says("no", no);
        }),
        (Hint::AskWhetherHurt, |call| {
            call.hinted(Hint::AskWhetherHurt)
                .says("it is hard", |_| {})
                .says("no", no);
        }),
        (Hint::AskForASafeNumber, |call| {
            call.hinted(Hint::AskForASafeNumber)
                .says("it is hard", |_| {})
                .says("no", no);
        }),
        (Hint::AskAboutShelter, |call| {
            call.hinted(Hint::AskAboutShelter)
                .says("it is hard", |_| {})
                .says("no", no);
        }),
        (Hint::AskAboutSuicide, |call| {
            for _ in 0..6 {
                call.hinted(Hint::AskAboutSuicide)
                    .says("it goes on and on", |_| {})
                    .says("no", no);
            }
        }),
    ];
    for (hint, before) in table {
        let mut call = Call::talking();
        before(&mut call);
        let mut without = call.clone();
        call.hinted(hint);
        for _ in 0..4 {
            call.says("it goes on and on", |_| {});
            without.says("it goes on and on", |_| {});
            assert_eq!(call.said, without.said, "{hint:?}");
        }
    }
}

#[test]
fn nobody_is_asked_about_suicide_a_third_time_whatever_is_whispered() {
    let mut call = Call::talking();
    let mut asked = 0;
    for turn in 0..12 {
        call.hinted(Hint::AskAboutSuicide);
        let third = tells_from(Signal::ThirdParty, SURE);
        call.says("it goes on and on", |reading| {
            if turn % 3 == 2 {
                third(reading);
            }
            if turn % 2 == 1 {
                no(reading);
            }
        });
        let question = call.conversation.listening().question;
        let of_suicide = [Question::Suicidal, Question::OtherSuicidal].map(Some);
        asked += usize::from(of_suicide.contains(&question));
    }
    assert_eq!(asked, 2);
}

#[test]
fn a_number_given_on_a_hint_stands_first_in_what_is_to_be_done() {
    let mut call = Call::talking();
    call.hinted(Hint::AskForASafeNumber)
        .says("and nobody asks how I am", |_| {})
        .says("nine one two three four five six seven", number)
        .heard("9123 4567")
        .says("yes", yes);
    let note = call.conversation.note();
    let follow_up = note.structured_data.follow_up.expose_secret();
    assert!(
        follow_up.starts_with("Ring the caller back on 9123 4567"),
        "{follow_up}"
    );
}

#[test]
fn a_hint_outlives_a_cut_in_the_line() {
    let mut call = Call::talking();
    call.hinted(Hint::AskWhereTheyAre);
    let saved = call.conversation.save();
    call.conversation = Conversation::restore(setup(), saved.expose_secret()).unwrap();
    call.hears(Event::CallerReturned)
        .says("and nobody asks how I am", |_| {})
        .is_asked(Question::Address);
    assert_eq!(call.conversation.step(), Step::TakingTheAddress);
}

#[test]
fn a_goodbye_takes_a_number_along_and_no_question() {
    let mut call = Call::talking();
    call.hinted(Hint::AskWhoKnows)
        .hinted(Hint::SayTheSuicideLine)
        .says("goodbye", |reading| {
            reading.leave = Some(flow::reading::Leave::Plain);
        })
        .heard("1767")
        .did_not_hear("?");
    assert!(call.said.ends_with("goodbye."), "{}", call.said);
    assert!(call.conversation.has_ended());
}

#[test]
fn a_chat_model_rewords_nothing_of_a_hint() {
    let mut call = Call::talking();
    call.conversation.handle(
        Event::Hinted {
            hint: Hint::SlowDown,
        },
        Duration::ZERO,
    );
    let mut reading = Reading::unread(Secret::new("and nobody asks how I am".to_owned()));
    low(&mut reading);
    let reading = Box::new(reading);
    call.conversation
        .handle(Event::CallerSaid { reading }, Duration::ZERO);
    let brief = call.conversation.brief().unwrap();
    let fixed: Vec<_> = brief.fixed.iter().map(|it| it.expose_secret()).collect();
    assert!(fixed.iter().any(|it| it.contains("breath")), "{fixed:?}");
}
