//! Cuts a long stretch of speech where it is quietest.
//!
//! The engine's time grows faster than its audio (measured: 5 s take 0.3 s of processor, 15 s
//! take 1.3 s), and it cuts long audio by the clock, through the middle of words. It does not
//! look for silence: a stretch short enough is left whole.

use std::ops::Range;

/// No piece is longer than this: 10 s.
const LONGEST: usize = 10 * 16_000;
/// Nor is one cut off before this: 6 s.
const SHORTEST: usize = 6 * 16_000;
/// Below this there is hardly more than one word in a half: 2 s.
const SHORTEST_HALVED: usize = 2 * 16_000;
/// Quietness is judged over 120 ms, a short pause between words.
const PAUSE: usize = 1_920;
/// Steps between the places that are compared: 20 ms.
const STEP: usize = 320;

/// Whether the stretch is one piece.
pub(super) fn stays_whole(speech: &[i16]) -> bool {
    speech.len() <= LONGEST
}

/// The stretch in pieces, in order and without gaps.
pub(super) fn pieces(mut speech: &[i16]) -> Vec<&[i16]> {
    let mut pieces = Vec::with_capacity(speech.len() / SHORTEST + 1);
    while !stays_whole(speech) {
        let (piece, rest) = speech.split_at(quietest(speech, SHORTEST..LONGEST));
        pieces.push(piece);
        speech = rest;
    }
    pieces.push(speech);
    pieces
}

/// In two, at the quietest moment around the middle; `None` if it is too short to gain by it.
pub(super) fn halves(piece: &[i16]) -> Option<(&[i16], &[i16])> {
    let around_middle = piece.len() / 4..piece.len() * 3 / 4;
    (piece.len() >= SHORTEST_HALVED).then(|| piece.split_at(quietest(piece, around_middle)))
}

/// The middle of the quietest moment in that stretch.
fn quietest(speech: &[i16], within: Range<usize>) -> usize {
    let level = |start: &usize| -> u64 {
        let moment = &speech[*start..*start + PAUSE];
        moment.iter().map(|s| u64::from(s.unsigned_abs())).sum()
    };
    (within.start..=within.end - PAUSE)
        .step_by(STEP)
        .min_by_key(level)
        .map_or(within.end, |start| start + PAUSE / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_enough_stays_whole() {
        assert_eq!(pieces(&[1_000; LONGEST]).len(), 1);
        assert_eq!(pieces(&[]), [&[] as &[i16]]);
    }

    #[test]
    fn a_long_stretch_is_cut_in_its_pause_and_nothing_is_lost() {
        let mut speech = vec![1_000; 15 * 16_000];
        speech[8 * 16_000..8 * 16_000 + 3_200].fill(0);
        let pieces = pieces(&speech);
        assert_eq!(pieces.len(), 2);
        assert!((8 * 16_000..8 * 16_000 + 3_200).contains(&pieces[0].len()));
        assert_eq!(pieces.concat(), speech);
    }

    #[test]
    fn a_piece_is_halved_in_the_pause_around_its_middle() {
        let mut piece = vec![1_000; 4 * 16_000];
        // A longer pause near the end is not the middle.
        piece[20_000..22_400].fill(0);
        piece[55_000..60_000].fill(0);
        let (first, second) = halves(&piece).expect("it is long enough");
        assert!((20_000..22_400).contains(&first.len()));
        assert_eq!([first, second].concat(), piece);
        assert_eq!(halves(&piece[..SHORTEST_HALVED - 1]), None);
    }

    #[test]
    fn speech_without_any_pause_is_cut_all_the_same() {
        let speech = vec![1_000; 60 * 16_000];
        assert!(pieces(&speech).iter().all(|piece| piece.len() <= LONGEST));
        assert_eq!(pieces(&speech).concat(), speech);
    }
}
