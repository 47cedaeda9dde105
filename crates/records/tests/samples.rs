//! The ten sample records are complete and keep the specification's rules for a note.
#![allow(clippy::unwrap_used)]

mod story;

use std::collections::BTreeSet;

use flow::{Agency, EndReason};
use records::{CallRecord, Role, VisitorId};
use story::*;

async fn samples() -> Vec<CallRecord> {
    let (_, records) = sqlite_memory().await;
    let mut samples = Vec::new();
    for sample in listed(&records, VisitorId::random()).await {
        samples.extend(records.call(sample.call_id).await.unwrap());
    }
    samples
}

fn sentences(text: &str) -> usize {
    text.trim_end_matches('.').split(". ").count()
}

#[tokio::test]
async fn every_agency_has_a_sample_and_one_has_none() {
    let agencies: Vec<Option<Agency>> = samples()
        .await
        .iter()
        .map(|sample| sample.note.as_ref().unwrap().structured_data.transfer_to)
        .collect();
    for agency in Agency::ALL {
        assert!(agencies.contains(&Some(agency)), "{agency} has no sample");
    }
    assert!(agencies.contains(&None));
}

#[tokio::test]
async fn the_samples_show_every_kind_of_record() {
    let samples = samples().await;
    let data: Vec<_> = samples
        .iter()
        .map(|sample| &sample.note.as_ref().unwrap().structured_data)
        .collect();
    for urgent in [true, false] {
        assert!(data.iter().any(|data| data.urgent == urgent));
    }
    assert!(
        data.iter()
            .any(|data| data.transfer_to.is_some() && !data.transferred)
    );
    let abuse: BTreeSet<&str> = samples.iter().filter_map(CallRecord::abuse_type).collect();
    let expected = [
        "Emotional",
        "Emotional & Verbal",
        "Financial",
        "Neglect",
        "Other",
        "Physical",
        "Sexual",
    ];
    assert_eq!(abuse.into_iter().collect::<Vec<_>>(), expected);
    for reason in [EndReason::Forwarded, EndReason::AssistantEnded] {
        assert!(
            samples
                .iter()
                .any(|sample| sample.ended_reason == Some(reason))
        );
    }
}

#[tokio::test]
async fn each_note_keeps_the_rules() {
    for sample in samples().await {
        let id = sample.id;
        let note = sample.note.as_ref().unwrap();
        let title = note.summary_title.expose_secret();
        assert!(
            title.starts_with("Caller") && !title.contains('.'),
            "{id}: {title}"
        );
        let summary = note.summary.expose_secret();
        assert!((2..=4).contains(&sentences(summary)), "{id}: {summary}");
        assert!(!summary.contains('\n'));
        let follow_up = note.structured_data.follow_up.expose_secret();
        assert!((2..=4).contains(&sentences(follow_up)), "{id}: {follow_up}");
        for text in [
            &note.structured_data.name,
            &note.structured_data.location,
            &note.structured_data.latest_incident_date,
        ] {
            assert!(!text.expose_secret().is_empty(), "{id}");
        }
        assert!(!sample.damaged);
    }
}

#[tokio::test]
async fn each_claim_rests_on_words_the_caller_said() {
    for sample in samples().await {
        let turns: Vec<&str> = sample
            .messages
            .iter()
            .filter(|message| message.role == Role::User)
            .map(|message| message.message.expose_secret().as_str())
            .collect();
        let evidence = &sample.note.as_ref().unwrap().evidence;
        assert!(!evidence.is_empty());
        for evidence in evidence {
            assert!(
                turns[evidence.turn].contains(evidence.words.expose_secret().as_str()),
                "record {}: {} is not in turn {}",
                sample.id,
                evidence.claim,
                evidence.turn
            );
        }
    }
}

#[tokio::test]
async fn each_transcript_is_a_whole_call_in_order() {
    for sample in samples().await {
        let id = sample.id;
        assert!((8..=16).contains(&sample.messages.len()), "{id}");
        assert_eq!(
            sample.messages[0].role,
            Role::Bot,
            "{id}: the assistant speaks first"
        );
        assert!(
            sample.messages[0].message.expose_secret().contains("AI"),
            "{id}: it says what it is"
        );
        assert_eq!(sample.messages.last().unwrap().role, Role::Bot, "{id}");
        let mut end_of_last = 0.0;
        for message in &sample.messages {
            assert!(
                message.seconds_from_start >= end_of_last,
                "{id}: messages overlap"
            );
            end_of_last = message.seconds_from_start + message.duration_seconds;
            if message.role == Role::Bot {
                let questions = message.message.expose_secret().matches('?').count();
                assert!(questions <= 1, "{id}: two questions at once");
            }
        }
        assert!(
            sample.duration_seconds().unwrap() >= end_of_last,
            "{id}: it ends after its last word"
        );
        let last = sample.messages.last().unwrap().message.expose_secret();
        match sample.ended_reason.unwrap() {
            EndReason::Forwarded => assert!(last.contains("stay on the line"), "{id}"),
            _ => assert!(last.ends_with("goodbye."), "{id}"),
        }
    }
}

#[tokio::test]
async fn two_samples_leave_out_the_middle_of_the_conversation() {
    let left_out = |sample: &CallRecord| {
        let placeholder = |message: &records::Message| {
            message
                .message
                .expose_secret()
                .starts_with("[The middle of ")
        };
        sample.messages.iter().any(placeholder)
    };
    let samples = samples().await;
    assert_eq!(samples.iter().filter(|sample| left_out(sample)).count(), 2);
}
