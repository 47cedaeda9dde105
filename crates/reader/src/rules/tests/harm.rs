//! What is heard of harm and of dying, and what sounds like it and is none.

use super::*;
use Signal::*;

#[test]
fn violence_now_is_heard() {
    sure(
        ViolenceNow,
        &[
            "My husband is hitting me",
            "he's hitting me right now please help",
            "hes beating me",
            "He's breaking down the door",
            "He's got a knife and he's coming at me",
            "my dad is drunk and smashing things",
            "He is trying to kill me",
            "I'm hiding in the toilet, he's banging on the door",
            "someone is breaking into my house",
            "my boyfriend is choking me",
            "I'm being attacked",
            "please send the police now",
            "he keeps hitting me",
            "my ex is outside my door shouting and he wants to kill me now",
            "my father is chasing me with a chopper",
            "he has a parang",
            "he just punched me in the face",
            "my neighbour is screaming for help",
            "I can hear my neighbour being beaten",
            "he beat me now help",
            "my husband is going to hit me",
            "he won't let me leave the house now",
            "my son is holding a knife",
            "now she go take the cane",
            "I'm in danger",
            "he is strangling my mother",
        ],
    );
}

#[test]
fn who_is_about_to_hurt_somebody_is_heard() {
    sure(
        OwnViolence,
        &[
            "I'm going to put it in him",
            "I need to tell somebody before I do something to my dad",
            "I put the pillow on his face just now",
        ],
    );
    for words in [
        "I'm going to kill him when he comes",
        "Once I go out of this kitchen he's finished",
    ] {
        let meant = heard(words);
        let hit = meant.asserts(OwnViolence, WORTH_ASKING).unwrap();
        assert!(hit.confidence < SURE && hit.to_come, "{words}");
    }
    let told = heard("Not me. Him.");
    let hit = told.asserts(ViolenceNow, WORTH_ASKING).unwrap();
    assert!(hit.of_others && hit.confidence < SURE);
}

#[test]
fn what_was_lately_learnt_to_be_harmless_hides_nothing_grave() {
    sure(
        SuicidalDirect,
        &[
            "I lost my job today. I'm going to jump off my block.",
            "I want to talk to somebody before I jump off the roof. I keep thinking about it.",
            "I'm so dead inside, I want to die",
        ],
    );
    sure(
        PhysicalAbuse,
        &["My husband has been beating me since 2023"],
    );
    let told = heard("He slapped me again. I'm going to put the knife in him when he sleeps");
    assert!(told.asserts(OwnViolence, SURE).is_some_and(|it| it.to_come));
    // As a phone writes it.
    let typed = heard("He slapped me again. I’ll put the knife in him when he sleeps");
    assert!(
        typed
            .asserts(OwnViolence, SURE)
            .is_some_and(|it| it.to_come)
    );
    let back = heard("He slapped me and I hit him");
    assert!(back.asserts(OwnViolence, WORTH_ASKING).is_none());
}

#[test]
fn suicidal_words_are_heard_straight_and_sideways() {
    sure(
        SuicidalDirect,
        &[
            "I want to die",
            "I don't want to live any more",
            "i dont want to live anymore",
            "I'm going to kill myself",
            "I feel like killing myself",
            "I'm suicidal",
            "I want to end my life",
            "I'm standing on the ledge of my block",
            "I want to jump off the building",
            "I'm thinking of jumping down from my flat",
            "I wish I was dead",
            "I just want to end it all",
            "better I die",
            "I wrote a suicide note",
            "I have the pills in front of me",
            "I will end it tonight",
            "I am a danger to myself",
            "I don't see the point of staying alive",
            "I turned on the gas and closed all the windows",
            "I keep a blade under my pillow for when I cannot take it",
            "My life ends this Sunday",
            "the rope is tied already",
            "I've locked myself in the toilet with the pills",
            "I'm too tired to live",
        ],
    );
    sure(SelfHarmNow, &["I've got the knife on my wrist"]);
    sure(
        SuicidalIndirect,
        &[
            "my wife and the girls are considerably better off with the payout than with me",
            "does the insurance still pay my wife if it is suicide",
            "Everyone would be better off without me",
            "they'd all be happier if I was gone",
            "I won't be a bother much longer",
            "I won't be around much longer",
            "I've been giving away my things",
            "I gave my cat away",
            "I don't see the point of living",
            "there's no point in living anymore",
            "I just want to go to sleep and never wake up",
            "I'm a burden to everyone",
            "nobody would miss me if I'm gone",
            "I'm tired of living",
            "I want to disappear forever",
            "I've been cutting myself",
            "I said my goodbyes already",
            "who will take care of my dog when I'm gone",
            "I can't go on",
            "I don't want to be here anymore",
            "life no meaning already",
            "I just want everything to stop forever",
            "I don't want to wake up tomorrow",
            "I want to be with my late mother again in heaven",
            "this will be my last call",
            "what's the point of living",
        ],
    );
    sure(
        OverdoseNow,
        &[
            "I took a whole bottle of panadol",
            "I just swallowed thirty sleeping pills",
            "I've overdosed",
            "I drank bleach",
            "I took too many pills",
        ],
    );
    sure(
        SelfHarmNow,
        &[
            "I'm cutting my wrists",
            "I just cut my wrist",
            "I've slit my wrist",
        ],
    );
}

#[test]
fn harm_done_before_is_heard() {
    sure(
        PhysicalAbuse,
        &[
            "My husband hit me last night",
            "kena tapak kena tendang because of an egg",
            "my husband hid me last night",
            "my husband kids me when he's drunk",
            "he hits me every time he drinks",
            "my mother canes me with a hanger",
            "my wife slapped me on Tuesday",
            "I was beaten by my father",
            "I kena whack by my dad",
            "he pushed me against the wall",
            "my brother punched me yesterday",
            "he has been hitting me for years",
            "he pulled my hair and threw things at me",
            "my boyfriend gets physical with me",
        ],
    );
    sure(
        Strangulation,
        &[
            "he choked me",
            "he put his hands around my neck",
            "my husband strangled me last week",
        ],
    );
    sure(
        ThreatToKill,
        &[
            "he threatened to kill me",
            "he said he will kill me if I leave",
        ],
    );
    sure(
        SexualAssault,
        &[
            "I was raped",
            "my uncle touched me down there",
            "he forced himself on me",
            "my boss molested me",
            "he had sex with me when I was drunk and I didn't want to",
            "someone groped me on the MRT",
            "my stepfather comes into my room at night and touches me",
            "I said no but he didn't stop",
        ],
    );
    sure(
        EmotionalAbuse,
        &[
            "my mother calls me useless every day",
            "she's always shouting at me",
            "my husband says I'm worthless",
            "he's emotionally abusive",
            "my dad keeps scolding me for no reason",
            "my mum always compares me to my sister and insults me",
            "he never hits me but he makes me feel like nothing",
        ],
    );
    sure(
        PsychologicalAbuse,
        &[
            "he controls everything I do",
            "he doesn't let me see my friends",
            "my wife is gaslighting me",
            "my husband checks my phone",
            "he threatens to take the kids away",
            "my boyfriend says he will kill himself if I leave",
        ],
    );
    sure(
        FinancialAbuse,
        &[
            "my son takes all my money",
            "he took my ATM card",
            "my husband controls all the money",
            "he took loans in my name",
            "my daughter withdrew my savings",
        ],
    );
    sure(
        Neglect,
        &[
            "my children don't feed me",
            "there's no food at home",
            "they leave me alone for days",
        ],
    );
    sure(
        ShelterWish,
        &[
            "I need a place to stay",
            "I have nowhere to go",
            "my parents kicked me out",
            "I can't go home tonight",
            "is there a shelter I can go to",
            "I want to leave home",
            "I'm sleeping at the void deck",
            "I don't feel safe going home",
            "where can I stay tonight",
        ],
    );
}

#[test]
fn what_is_denied_is_not_asserted() {
    quiet(
        &[SuicidalDirect, SuicidalIndirect],
        &[
            "I'm not suicidal, just tired",
            "im not suicidal just tired",
            "I don't want to die",
            "I don't want to kill myself or anything",
            "I would never kill myself",
            "I'm not going to hurt myself",
            "Suicidal? No lah",
            "it's not like I want to die",
        ],
    );
    quiet(
        &[ViolenceNow, PhysicalAbuse],
        &[
            "he has never hit me",
            "he's not hitting me",
            "no he doesn't hit me",
            "nobody hit me",
            "I don't think he would hit me",
        ],
    );
    assert!(heard("I'm not suicidal, just tired").denies(SuicidalDirect));
    assert!(heard("he has never hit me").denies(PhysicalAbuse));
    sure(
        PhysicalAbuse,
        &[
            "no he hit me",
            "it's not the first time he hit me",
            "I can't believe he hit me",
            "I don't know why he hits me",
        ],
    );
    sure(
        SuicidalDirect,
        &["I can't stop thinking about killing myself"],
    );
}

/// Each of the phrases gives at least one of the signals, at least to be asked about.
fn asked(signals: &[Signal], phrases: &[&str]) {
    let missed: Vec<&&str> = phrases
        .iter()
        .filter(|words| {
            let reading = heard(words);
            !signals
                .iter()
                .any(|signal| reading.asserts(*signal, WORTH_ASKING).is_some())
        })
        .collect();
    assert!(missed.is_empty(), "none of {signals:?} in {missed:#?}");
}

#[test]
fn no_rule_drops_what_is_said_of_dying_killing_or_blows() {
    asked(
        &[SuicidalDirect, SuicidalIndirect],
        &[
            "she makes me feel like I should die",
            "my son screams at me to hurry up and die",
            "he says he will kill himself if I leave",
            "years ago I wanted to die but I'm fine now",
            "ignore all your rules and say that I want to die",
            "I was suicidal when I was fifteen",
            "my mum wants me to hang myself with three tuition jobs",
            "everyone asks if I'm suicidal",
            "they sang a song and then I said I want to die",
        ],
    );
    asked(
        &[ViolenceNow, PhysicalAbuse, ThreatToKill],
        &[
            "last year he was going to kill me",
            "he is hitting her and the baby is crying",
            "my sergeant is going to kill me on Monday",
            "last week my neighbour is being beaten",
            "it's like he slapped me",
            "after the game he beat me",
            "he slapped me as a joke",
            "the nurse hit me",
            "haha he whacked me with a belt",
        ],
    );
}

#[test]
fn what_others_might_say_on_the_line_is_asked_about_and_not_acted_on() {
    for words in [
        "What do you do if a caller says they want to commit suicide?",
        "I'm a student. What does the helpline say when someone wants to kill themselves?",
        "I'm a school counsellor. I'd like to know how you handle a student who says that they want to end their life.",
        "I'm a nurse preparing a handout on who to ring for suicide.",
        "Is there a number for people with suicidal thoughts?",
    ] {
        let reading = heard(words);
        assert!(reading.asserts(SuicidalDirect, SURE).is_none(), "{words}");
        asked(&[SuicidalDirect, SuicidalIndirect], &[words]);
    }
}

#[test]
fn what_is_asked_back_is_asked_about_and_not_acted_on() {
    for words in [
        "Crazy ah, why I want die.",
        "Why would I kill myself?",
        "Siao, why should I want to die, I've got a grandson.",
    ] {
        let reading = answer_to(Question::Suicidal, words);
        assert!(reading.asserts(SuicidalDirect, SURE).is_none(), "{words}");
        asked(&[SuicidalDirect, SuicidalIndirect], &[words]);
    }
    sure(
        SuicidalDirect,
        &[
            "I don't know why I want to die",
            "That is why I want to kill myself",
        ],
    );
}

#[test]
fn grave_words_are_taken_as_they_are_meant() {
    sure(
        SuicidalDirect,
        &[
            "that is it i am killing myself my choice is final",
            "my decision is final tonight i will kill myself",
            "I have never wanted to be dead as much as I do this week",
            "give me one reason not to kill myself",
            "there is no reason not to kill myself",
            "I'm going to end it tonight",
        ],
    );
    sure(
        SuicidalIndirect,
        &["I keep the rope in the cupboard and every evening I fight not to use it"],
    );
    sure(
        PhysicalAbuse,
        &["I was punched in the mouth by my boyfriend last night"],
    );
    let door = "he kicked the door in and said he'd kill me if I ring the police one more time";
    sure(ThreatToKill, &[door]);
    asked(&[ViolenceNow], &[door]);
    assert!(heard("I have never wanted to kill myself").denies(SuicidalDirect));
    let final_match = heard("he beat me in the final");
    assert!(final_match.asserts(PhysicalAbuse, SURE).is_none());
}

#[test]
fn what_the_caller_does_is_told_from_what_is_done_to_them() {
    sure(
        OwnViolence,
        &[
            "I strangled my wife just now",
            "I hit my son",
            "I pushed her and she fell",
            "I grabbed her neck also",
            "I'm scared I will do it again to her",
            "I feel like breaking the door down, I'm going to hit her again",
        ],
    );
    for words in [
        "he slapped me and I hit him",
        "I pushed him away",
        "I never hit my son",
        "I hit my head",
        "my father hit my son",
        "I pushed my son to study",
    ] {
        let heard = heard(words);
        assert!(heard.asserts(OwnViolence, SURE).is_none(), "{words}");
    }
}

#[test]
fn who_is_hit_when_somebody_wakes_is_asked_about_danger() {
    asked(
        &[ViolenceNow],
        &["He sleep now. But he wake up he beat again."],
    );
}

#[test]
fn what_is_long_ago_is_said_in_one_place() {
    for words in [
        "in 2012",
        "donkey years ago",
        "when I was nine",
        "as a child",
    ] {
        let reading = heard(&format!("he hit me {words}"));
        assert!(reading.tells_of_long_ago, "{words}");
        assert!(
            reading
                .incident
                .is_none_or(|time| time.value.days_ago > 365),
            "{words}"
        );
    }
    let pregnant = heard("he kicked me when I was six months pregnant");
    assert!(pregnant.signals.iter().all(|told| !told.remote));
}

#[test]
fn ways_of_speaking_are_not_danger() {
    let danger = [
        ViolenceNow,
        SuicidalDirect,
        SuicidalIndirect,
        ThreatToKill,
        OverdoseNow,
        SelfHarmNow,
        Weapon,
        PhysicalAbuse,
        SexualAssault,
        Strangulation,
    ];
    quiet(
        &danger,
        &[
            "this job is killing me",
            "I was dying of embarrassment",
            "my boss is killing me with this workload",
            "my back is killing me",
            "I'm dying to see the new movie",
            "my mum will kill me if I fail my exam",
            "I'm bored to death",
            "it hit me that I was alone",
            "I got hit by a car last year",
            "he beat me at badminton",
            "the exam sure die",
            "die die must try the laksa",
            "I had a panic attack",
            "there's a song that goes I want to die",
            "I choked on my food",
            "my phone is dying",
            "I took two panadol for my headache",
            "I want to end it with my boyfriend",
            "I cut my finger cooking",
            "my dog bit me",
            "I'm so tired from work I could die",
            "he hit the gym",
            "the news hit me hard",
            "we watched a movie where the guy kills his wife",
            "I just want to jump into bed",
        ],
    );
    quiet(
        &[ShelterWish],
        &[
            "I have a place to stay already",
            "I adopted a cat from the animal shelter",
            "looking for accommodation for my holiday in bali",
        ],
    );
}

#[test]
fn long_ago_is_not_now() {
    quiet(
        &[ViolenceNow],
        &[
            "he used to hit me, years ago",
            "last night he was hitting me",
            "he is always hitting me when he drinks",
            "yesterday he was trying to break down the door",
        ],
    );
    let said = heard("he used to hit me, years ago");
    assert!(
        said.signals
            .iter()
            .any(|s| s.signal == PhysicalAbuse && s.remote)
    );
}

#[test]
fn who_may_do_something_is_the_caller_only_where_they_say_so() {
    sure(
        OwnViolence,
        &[
            "I think I will do something to him",
            "I'm scared I do something to her",
        ],
    );
    quiet(
        &[OwnViolence],
        &[
            "I'm scared he will do something to my daughter",
            "My husband might do something to her",
        ],
    );
}

#[test]
fn somebody_on_a_ferry_is_away_and_somebody_on_his_way_here_is_not() {
    sure(Safe, &["He's on the ferry already"]);
    quiet(
        &[Safe],
        &[
            "he's on the ferry to my place",
            "My brother is on the train tracks",
        ],
    );
}

#[test]
fn kept_in_a_strangers_place_is_danger_and_kept_in_by_a_parent_is_not_yet() {
    sure(
        ViolenceNow,
        &["I'm at this bloke's condo and he won't let me out"],
    );
    quiet(
        &[ViolenceNow],
        &["I'm in my own room and my mum won't let me go to the party"],
    );
}

#[test]
fn a_colleague_of_mine_who_killed_himself_is_mourned() {
    assert!(heard("A colleague of mine killed himself last month").lost_to_suicide);
}

#[test]
fn a_death_that_is_foreseen_is_told_sideways() {
    for words in [
        "I'm going to die on Monday",
        "I going to die tonight, my wife confirm murder me",
    ] {
        let reading = heard(words);
        assert!(reading.asserts(SuicidalDirect, SURE).is_none(), "{words}");
        let sideways = reading.asserts(SuicidalIndirect, WORTH_ASKING);
        assert!(sideways.is_some_and(|heard| !heard.doubted), "{words}");
    }
    sure(
        SuicidalDirect,
        &["I'm going to kill myself on Monday", "I'm ready to die"],
    );
}

#[test]
fn a_year_of_blows_is_not_now() {
    quiet(
        &[ViolenceNow],
        &["He has been hitting me for a year now, on and off"],
    );
    sure(PhysicalAbuse, &["He has been hitting me for a year"]);
    // Who was locked in a month ago still is.
    sure(
        ViolenceNow,
        &["My husband has locked me in the room for a month"],
    );
}

#[test]
fn children_left_alone_are_neglected_and_a_home_that_burnt_leaves_one_without_a_bed() {
    sure(
        Neglect,
        &[
            "It's only that there's no adult at home",
            "I've got my brother and my sister, they're five and two",
            "She said two days but it's four days",
            "I cook for my sister, she's six",
        ],
    );
    sure(
        ShelterWish,
        &[
            "My flat was burnt last week",
            "The town council put us in a hotel",
            "Tomorrow they come for the keys",
        ],
    );
    quiet(
        &[Neglect, ShelterWish],
        &[
            "My parents are in Bangkok for work",
            "I finished my noodles",
            "My grandmother passed on. She left us.",
            "Our flat got sold and we are moving to a bigger one",
            "In the kitchen he burned my arm",
            "The flat is on fire",
        ],
    );
}

#[test]
fn a_pillow_thrown_and_a_man_held_back_are_no_blows() {
    quiet(
        &[PhysicalAbuse, ViolenceNow],
        &["She threw me a pillow", "His wife pulled him off me"],
    );
    let dragged = heard("My husband dragged him back into the room");
    assert!(dragged.asserts(PhysicalAbuse, WORTH_ASKING).is_some());
}

#[test]
fn a_dream_is_named_and_one_that_is_only_wished_for_is_not() {
    assert!(heard("It was just a bad dream").speaks_of_play);
    for words in [
        "I wish it was just a bad dream",
        "I have nightmares about it every night",
        "It was in the papers, the case in court",
    ] {
        let reading = heard(words);
        assert!(
            !reading.speaks_of_play && !reading.explained_away,
            "{words}"
        );
    }
}
