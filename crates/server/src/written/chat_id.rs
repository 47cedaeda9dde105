//! How chats are named. Each exchange of a written conversation is a chat with an id of its own,
//! and each of these leads to the conversation without a table to look it up in: it is the
//! conversation's id with the number of the exchange in the last two bytes. The other 106 random
//! bits cannot be guessed.

use uuid::Uuid;

/// One exchange of one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatId {
    /// The first chat's id; the record's call id.
    pub conversation: Uuid,
    /// From 0.
    pub number: u16,
}

impl ChatId {
    /// The first chat of a new conversation.
    pub fn first() -> Self {
        Self {
            conversation: with_number(Uuid::new_v4(), 0),
            number: 0,
        }
    }

    /// `None` if the text is no id at all.
    pub fn parse(text: &str) -> Option<Self> {
        let id: Uuid = text.parse().ok()?;
        let [.., high, low] = id.into_bytes();
        Some(Self {
            conversation: with_number(id, 0),
            number: u16::from_be_bytes([high, low]),
        })
    }

    pub fn uuid(self) -> Uuid {
        with_number(self.conversation, self.number)
    }
}

fn with_number(id: Uuid, number: u16) -> Uuid {
    let mut bytes = id.into_bytes();
    bytes[14..].copy_from_slice(&number.to_be_bytes());
    Uuid::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chat_of_a_conversation_leads_to_it() {
        let first = ChatId::first();
        assert_eq!(first.uuid(), first.conversation);
        let later = ChatId {
            number: 513,
            ..first
        };
        assert_ne!(later.uuid(), first.uuid());
        assert_eq!(ChatId::parse(&later.uuid().to_string()), Some(later));
        assert_ne!(ChatId::first().conversation, first.conversation);
    }

    #[test]
    fn what_is_no_id_names_no_chat() {
        for text in ["", "x", "3f0a3c5e-8a5e-4b52-9f0e"] {
            assert_eq!(ChatId::parse(text), None, "{text}");
        }
    }
}
