//! The parts of an address: blocks, units, and what names a street, a town or another place.

use std::ops::Range;

use flow::reading::PlacePart;

use super::{AT_HOME, BLOCK, KNOWN, NAMED_STREET, PLACES, Place, UNIT, is_figure, tidy};
use crate::rules::{
    facts::towns,
    language::GRAMMAR,
    numbers,
    text::{BOUNDARY, Text},
};

/// A part of an address, and where in the plain text it stands.
#[derive(Clone)]
pub(super) struct Part {
    pub kind: PlacePart,
    pub at: Range<usize>,
}

/// The parts of an address that stand in these bytes of the plain text, and whether they are precise.
pub(super) fn parts(text: &Text<'_>, asked: bool, within: Range<usize>) -> (Vec<Part>, bool) {
    let plain = text.plain();
    let is_within =
        |found: &regex::Match<'_>| within.start <= found.start() && found.end() <= within.end;
    let mut parts: Vec<Part> = Vec::new();
    let mut precise = false;
    for (kind, regex) in [(PlacePart::Unit, &*UNIT), (PlacePart::Block, &*BLOCK)] {
        for found in regex.find_iter(plain).filter(is_within) {
            let has_digits = found
                .as_str()
                .split(' ')
                .skip(1)
                .any(|word| numbers::read(&[word]).is_some())
                || found.as_str().contains(|c: char| c.is_ascii_digit());
            // "He swept me on the floor four times" counts.
            let counts = text
                .words()
                .nth(text.tokens_in(&found.range()).end)
                .is_some_and(|next| GRAMMAR.counted.has(next));
            let vague = found.as_str().starts_with("no ")
                || found.as_str().starts_with("number ")
                || found.as_str().starts_with("house ");
            if has_digits && !counts && (!vague || asked) {
                precise = true;
                parts.push(Part {
                    kind,
                    at: found.range(),
                });
            }
        }
    }
    for found in NAMED_STREET.find_iter(plain).filter(is_within) {
        // "Stays at Tampines Street 21"; but who is asked may be "in the carpark at Tampines Street 81".
        let (mut start, mut next) = (found.start(), found.start());
        for word in found.as_str().split(' ') {
            next += word.len() + 1;
            if !asked && PLACES.leads_to_a_street.has(word) {
                start = next;
            }
        }
        let words = &plain[start..found.end()];
        let numbered = words.contains(|c: char| c.is_ascii_digit())
            || words
                .split(' ')
                .any(|word| numbers::read(&[word]).is_some());
        let known =
            KNOWN.is_match(words) || words.starts_with("jalan") || words.starts_with("lorong");
        if precise || known || asked && !begins_no_street(words) && words.split(' ').count() >= 2 {
            precise |= numbered && (known || words.starts_with(|c: char| c.is_ascii_digit()));
            parts.push(Part {
                kind: PlacePart::Named,
                at: start..found.end(),
            });
        }
    }
    for found in KNOWN.find_iter(plain).filter(is_within) {
        let before = text.tokens_in(&(0..found.start()));
        let clause = before
            .end
            .checked_sub(1)
            .map_or(0, |last| text.clause(last).start);
        let lead = if before.is_empty() {
            String::new()
        } else {
            format!("{} ", text.slice(clause.min(before.end)..before.end))
        };
        let own = asked || precise || !parts.is_empty() || AT_HOME.is_match(&lead);
        if own && !lead.trim_end().ends_with("not in") {
            parts.push(Part {
                kind: PlacePart::Named,
                at: found.range(),
            });
        }
    }
    (parts, precise)
}

/// "Block 327, Sembawang Close, number 14-205. No sorry, 14-215.": who puts a block or a unit right is still in that street.
pub(super) fn put_right_in_part(text: &Text<'_>, earlier: &[Part], right: &[Part]) -> Place {
    let (wrong, rest): (Vec<&Part>, Vec<&Part>) = earlier
        .iter()
        .partition(|part| right.iter().any(|right| right.kind == part.kind));
    // "number 14-205" looks like a block too, and "12 Bedok North Road" like a street.
    let apart = |part: &Part| {
        let overlaps =
            |wrong: &&&Part| part.at.start < wrong.at.end && wrong.at.start < part.at.end;
        let start = wrong
            .iter()
            .find(overlaps)
            .map_or(part.at.start, |wrong| wrong.at.end);
        let (kind, at) = (part.kind, start..part.at.end);
        (start < part.at.end && (kind == PlacePart::Named || start == part.at.start))
            .then_some(Part { kind, at })
    };
    let kept = rest.into_iter().filter_map(apart);
    let mut kept: Vec<Part> = kept.chain(right.iter().cloned()).collect();
    // A block that was put right stands before its street, as people write it.
    kept.sort_by_key(|part| match part.kind {
        PlacePart::Block => (0, part.at.start),
        PlacePart::Named => (1, part.at.start),
        PlacePart::Unit => (2, part.at.start),
    });
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for part in &kept {
        let tokens = text.tokens_in(&part.at);
        match pieces.last_mut() {
            Some(last) if (last.start..=last.end).contains(&tokens.start) => {
                last.end = last.end.max(tokens.end);
            }
            _ => pieces.push(tokens),
        }
    }
    let quoted = pieces.iter().map(|tokens| tidy(text.quote(tokens.clone())));
    let name = quoted.collect::<Vec<_>>().join(", ");
    let start = kept.iter().map(|part| part.at.start).min().unwrap_or(0);
    let end = kept.iter().map(|part| part.at.end).max().unwrap_or(0);
    Place {
        name: towns::put_right(&name, true),
        tokens: text.tokens_in(&(start..end)),
        precise: true,
        guessed: false,
        part: PlacePart::Named,
    }
}

/// A block or a unit alone holds no word but its own: any other may be a name.
pub(super) fn part_of(text: &Text<'_>, tokens: &Range<usize>, parts: &[Part]) -> PlacePart {
    let holds = |kind| parts.iter().any(|part| part.kind == kind);
    let known: Vec<Range<usize>> = parts.iter().map(|part| text.tokens_in(&part.at)).collect();
    let named = tokens.clone().any(|i| {
        let word = text.word(i);
        word != BOUNDARY && !is_figure(word) && !known.iter().any(|part| part.contains(&i))
    });
    match () {
        () if named || holds(PlacePart::Named) => PlacePart::Named,
        () if holds(PlacePart::Block) => PlacePart::Block,
        () => PlacePart::Unit,
    }
}

fn begins_no_street(words: &str) -> bool {
    words
        .split(' ')
        .next()
        .is_some_and(|first| PLACES.begins_no_street.has(first))
}
