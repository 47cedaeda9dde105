//! When the harm last happened: of the times in a turn, the one that is its own.

use std::ops::Range;

use redact::Secret;

use super::{
    Heard, Listening, Question, TimeHeard, facts, language::GRAMMAR, signals::Found, text::Text,
};

/// The latest time the turn gives: any when it was asked for, else only beside a harm.
pub(super) fn incident(
    text: &Text<'_>,
    found: &[Found],
    harmful: bool,
    listening: &Listening,
) -> Option<Heard<TimeHeard>> {
    let asked = listening.question == Some(Question::IncidentTime);
    if !asked && !harmful {
        return None;
    }
    let mentions = facts::time::mentions(text);
    // "He kicked me on Wednesday. I saw the doctor yesterday."
    let beside_harm = |tokens: &Range<usize>| {
        let clause = text.clause(tokens.start);
        found.iter().any(|f| {
            !f.denied
                && (f.signal.is_abuse() || f.signal.is_high_risk())
                && clause.contains(&f.tokens.start)
        })
    };
    let some_beside = !asked
        && mentions
            .iter()
            .any(|mention| mention.is_past() && beside_harm(&mention.tokens));
    // "Wednesday, no, Tuesday": the later word counts.
    let put_right = mentions
        .iter()
        .map(|mention| mention.tokens.start)
        .filter(|start| asked && is_put_right(text, *start))
        .chain(facts::corrections::after(text).filter(|_| asked))
        .max()
        .unwrap_or(0);
    let latest = mentions
        .iter()
        .filter(|mention| mention.tokens.start >= put_right)
        .filter(|mention| !some_beside || beside_harm(&mention.tokens))
        .filter(|mention| {
            asked || !mention.is_time_of_day() && of_the_harm(text, found, &mention.tokens)
        })
        // "She has stayed here since June" is no incident.
        .filter(|mention| asked || text.word(mention.tokens.start) != "since")
        // "Every night" answers when asked; unasked it is how often, not when.
        .filter(|mention| asked || !mention.is_recurring())
        .map(|mention| (mention, facts::time::resolve(mention, listening.called_at)))
        .min_by_key(|(mention, resolved)| (resolved.days_ago, mention.tokens.start));
    // "Tonight. Just now.", "Today. Now."
    let moments_ago = |m: &facts::time::Mention| {
        let bare = text.quote(m.tokens.clone()).eq_ignore_ascii_case("now");
        m.is_now() && (!bare || text.clause(m.tokens.start) == m.tokens)
    };
    let just_now = asked && mentions.iter().any(moments_ago);
    if let Some((mention, resolved)) = latest {
        let words = text.quote(mention.tokens.clone());
        let when = match resolved.date {
            Some(date) => format!("{date} ({words})"),
            None => words.to_owned(),
        };
        // A bare "now" tells what is, not when it last was.
        if !asked && mention.is_now() && words.eq_ignore_ascii_case("now") {
            return None;
        }
        return Some(Heard {
            value: TimeHeard {
                when: Secret::new(when),
                days_ago: resolved.days_ago,
                just_now: mention.is_now() || resolved.days_ago == 0 && just_now,
            },
            words: Secret::new(words.to_owned()),
            confidence: 0.9,
        });
    }
    None
}

/// The time is that of the harm: in its clause or a bare one of its own, or said to be ("that was last
/// month"), and not of something planned ("we collect our keys in January").
fn of_the_harm(text: &Text<'_>, found: &[Found], mention: &Range<usize>) -> bool {
    const BARE: usize = 5;
    let clause = text.clause(mention.start);
    let planned = clause.clone().any(|i| GRAMMAR.planned.has(text.word(i)));
    let said_of_it = clause
        .clone()
        .any(|i| GRAMMAR.said_of_a_harm.has(text.word(i)));
    let harm_inside = found.iter().any(|f| {
        !f.denied
            && (f.signal.is_abuse() || f.signal.is_high_risk())
            && clause.contains(&f.tokens.start)
    });
    harm_inside || !planned && (said_of_it || clause.len() <= BARE)
}

/// What stands here takes the place of what came before: "no, Tuesday", "I mean last week".
fn is_put_right(text: &Text<'_>, token: usize) -> bool {
    (token.saturating_sub(3)..token)
        .any(|i| matches!(text.word(i), "no" | "sorry" | "mean" | "rather") && i > 0)
}
