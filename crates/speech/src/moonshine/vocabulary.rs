//! What the tokens mean that the model says: pieces of words, in the file that comes with it.

/// The model begins with this one.
pub(super) const START: i64 = 1;
/// And ends with this one.
pub(super) const END: i64 = 2;
/// How the file writes a space, which is part of the piece that follows it.
const SPACE: char = '▁';

/// The pieces of words by their tokens.
#[derive(Debug)]
pub(super) struct Vocabulary(Vec<Box<[u8]>>);

impl Vocabulary {
    /// Each piece is its length, in one byte or, from 128, in two, and its bytes. `None` if the file is cut off.
    pub(super) fn read(mut file: &[u8]) -> Option<Self> {
        let mut pieces = Vec::new();
        while let Some((&first, mut rest)) = file.split_first() {
            let mut length = usize::from(first);
            if length >= 128 {
                let (&second, after) = rest.split_first()?;
                length += usize::from(second) * 128 - 128;
                rest = after;
            }
            let (piece, after) = rest.split_at_checked(length)?;
            pieces.push(piece.into());
            file = after;
        }
        (pieces.len() > END as usize).then_some(Self(pieces))
    }

    /// The words of these tokens; marks are no words.
    pub(super) fn words(&self, tokens: &[i64]) -> String {
        let piece = |token: &i64| self.0.get(usize::try_from(*token).ok()?).map(Box::as_ref);
        let is_mark = |piece: &&[u8]| matches!(piece, [b'<', _, .., b'>']);
        let bytes: Vec<u8> = tokens
            .iter()
            .filter_map(piece)
            .filter(|piece| !is_mark(piece))
            .flatten()
            .copied()
            .collect();
        let text = String::from_utf8_lossy(&bytes).replace(SPACE, " ");
        text.trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(pieces: &[&[u8]]) -> Vec<u8> {
        let mut file = Vec::new();
        for piece in pieces {
            match u8::try_from(piece.len()) {
                Ok(short @ ..128) => file.push(short),
                _ => {
                    file.push((piece.len() % 128 + 128) as u8);
                    file.push((piece.len() / 128) as u8);
                }
            }
            file.extend_from_slice(piece);
        }
        file
    }

    #[test]
    fn pieces_are_joined_to_words_and_marks_are_left_out() {
        let long = "a".repeat(300);
        let pieces = [
            "<unk>", "<s>", "</s>", "▁I", "▁can", "'t", "<<ST_1>>", "<", &long,
        ];
        let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_bytes()).collect();
        let vocabulary = Vocabulary::read(&file(&pieces)).expect("whole");
        assert_eq!(vocabulary.words(&[1, 3, 4, 5, 6, 2]), "I can't");
        assert_eq!(vocabulary.words(&[3, 7, 8]), format!("I<{long}"));
        assert_eq!(vocabulary.words(&[-1, 9, 1_000_000]), "");
    }

    #[test]
    fn letters_that_come_byte_by_byte_are_put_together() {
        let pieces: [&[u8]; 5] = [b"<unk>", b"<s>", b"</s>", &[0xc3], &[0xa9]];
        let vocabulary = Vocabulary::read(&file(&pieces)).expect("whole");
        assert_eq!(vocabulary.words(&[3, 4]), "é");
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused() {
        let whole = file(&[b"<unk>", b"<s>", b"</s>", &[b'a'; 200]]);
        assert!(Vocabulary::read(&whole).is_some());
        for length in [0, 1, 5, whole.len() - 201, whole.len() - 1] {
            assert!(Vocabulary::read(&whole[..length]).is_none(), "{length}");
        }
    }
}
