//! What an assistant's server is asked as a caller is handed on: where to, and what is to be said before. It is asked once as a
//! caller is asked whether their case may be shared, and once for each hand-over, by whoever comes to it first: the reply that
//! passes a case on, which has its word said, or the teller.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use call::{HeardTurn, Speaker, SpokenMessage};
use flow::{Agency, Conversation, Directory};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use jiff::Timestamp;
use platform::event::{Destination, TransferDestinationRequest};
use platform::{Artifact, Call, ServerEvent, TransferDestinationReply};
use uuid::Uuid;

use super::deliveries::Tried;
use super::outbox::Outbox;
use super::receiver::Receiver;
use super::{asking, destinations, messages};
use crate::{call_record, journal};

/// How long an answer is waited for, by whom nobody waits.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// How long a caller waits for what is said beside our own words.
const SAID_WITHIN: Duration = Duration::from_secs(2);

/// A question that has been asked. It goes on being asked when nobody waits for it any more.
type Asked = Shared<BoxFuture<'static, Option<TransferDestinationReply>>>;

/// When a question is asked, of the flow's own agency.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    OfConsent(Agency),
    OfTheHandOver(Agency),
}

/// A call's questions that were asked ahead.
#[derive(Clone, Default)]
pub struct HandOvers(Arc<Mutex<Vec<(Ahead, Asked)>>>);

/// Whom to ask, and in which call.
pub struct Asking {
    pub outbox: Arc<Outbox>,
    pub to: Arc<Receiver>,
    pub id: Uuid,
    pub call: Call,
}

impl HandOvers {
    fn asked(&self, ahead: Ahead, ask: impl FnOnce() -> Asked) -> Asked {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, asked)) = asked.iter().find(|(of, _)| *of == ahead) {
            return asked.clone();
        }
        let asking = ask();
        tokio::spawn(asking.clone());
        asked.push((ahead, asking.clone()));
        asking
    }

    /// What was asked ahead of this hand-over. The next to the same agency is asked about anew.
    fn take(&self, agency: Agency) -> Option<Asked> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = Ahead::OfTheHandOver(agency);
        let at = asked.iter().position(|(of, _)| *of == ahead)?;
        Some(asked.swap_remove(at).1)
    }
}

/// The server's answer as this hand-over begins; none where it is told of none.
pub(super) async fn answer(
    asked: &HandOvers,
    asking: Asking,
    agency: Agency,
    said: Artifact,
    at: Timestamp,
) -> Option<TransferDestinationReply> {
    match asked.take(agency) {
        Some(asked) => asked.await,
        None => ask(asking, said, at).await,
    }
}

/// Where the caller goes, as it is told: in the server's words where it names the agency that they go to, and in ours otherwise.
pub(super) fn where_to(
    answer: Option<TransferDestinationReply>,
    call: Uuid,
    agency: Agency,
    directory: &Directory,
) -> Destination {
    let ours = messages::to_the_authorities(agency);
    let Some(TransferDestinationReply {
        destination, error, ..
    }) = answer
    else {
        return ours;
    };
    if error.is_some() {
        tracing::info!(%call, "an assistant's server answers a hand-over with an error: the caller goes where the flow has them go");
        return ours;
    }
    match destination {
        Some(named) if destinations::agency_of(&named, directory) == Some(agency) => named,
        Some(_) => {
            tracing::info!(%call, "an assistant's server names another destination than the caller goes to, which is told instead");
            ours
        }
        None => ours,
    }
}

/// The conversation as the server would have it, in all calm: asking to share the caller's case with the agency that it names,
/// or with its word before the case is passed on.
pub(super) async fn answered(
    asked: &HandOvers,
    asking: Asking,
    turn: &HeardTurn,
    conversation: Conversation,
    directory: &Directory,
) -> Option<Conversation> {
    match conversation.asks_to_share_calmly() {
        Some(_) => with_its_agency(asked, asking, turn, conversation, directory).await,
        None => with_its_word(asked, asking, turn, conversation).await,
    }
}

/// Whom a case goes to is the server's to say before the caller is asked: they agree to an agency by its name.
async fn with_its_agency(
    asked: &HandOvers,
    asking: Asking,
    turn: &HeardTurn,
    conversation: Conversation,
    directory: &Directory,
) -> Option<Conversation> {
    let ours = conversation.asks_to_share_calmly()?;
    let asking = || ask_of(asking, turn).boxed().shared();
    let answer = asked.asked(Ahead::OfConsent(ours), asking);
    let answer = tokio::time::timeout(SAID_WITHIN, answer).await.ok()??;
    naming_its_agency(answer, conversation, directory)
}

/// The conversation with the agency of this answer, if it names one that the case may go to.
pub(super) fn naming_its_agency(
    answer: TransferDestinationReply,
    mut conversation: Conversation,
    directory: &Directory,
) -> Option<Conversation> {
    let named = answer.destination.filter(|_| answer.error.is_none())?;
    let agency = destinations::agency_of(&named, directory)?;
    match conversation.ask_to_share_with(agency) {
        Ok(()) => Some(conversation),
        Err(unfit) => {
            tracing::info!(%unfit, "the agency that an assistant's server names for a case is not asked for");
            None
        }
    }
}

/// The conversation with the server's word before its hand-over, where the turn passes a case on in all calm and the word fits.
async fn with_its_word(
    asked: &HandOvers,
    asking: Asking,
    turn: &HeardTurn,
    conversation: Conversation,
) -> Option<Conversation> {
    let ahead = Ahead::OfTheHandOver(conversation.hands_over_calmly()?);
    let asking = || ask_of(asking, turn).boxed().shared();
    let answer = tokio::time::timeout(SAID_WITHIN, asked.asked(ahead, asking));
    let caller = turn.reading.words.expose_secret();
    saying_its_word(answer.await.ok()??, caller, conversation)
}

/// The conversation with the words of this answer, if it has any and they may be said.
pub(super) fn saying_its_word(
    answer: TransferDestinationReply,
    caller: &str,
    mut conversation: Conversation,
) -> Option<Conversation> {
    let message = answer.message.filter(|_| answer.error.is_none())?;
    let words = message.said_first()?.expose_secret();
    match conversation.say_before_handing_over(words, &[caller]) {
        Ok(()) => Some(conversation),
        Err(unfit) => {
            tracing::info!(%unfit, "what an assistant's server would have said at a hand-over is not said");
            None
        }
    }
}

/// Asks with all that was said up to this turn, and in it.
fn ask_of(
    asking: Asking,
    turn: &HeardTurn,
) -> impl Future<Output = Option<TransferDestinationReply>> + Send + use<> {
    let heard = SpokenMessage {
        speaker: Speaker::Caller,
        words: turn.reading.words.clone(),
        from: turn.at,
        to: turn.at,
        interrupted: false,
    };
    let said = turn.said.iter().chain([&heard]).map(journal::message);
    let said: Vec<_> = said.collect();
    let now = Timestamp::now();
    let started_at = asking.call.started_at.unwrap_or(now);
    let said = Artifact::of(call_record::messages(started_at, &said));
    ask(asking, said, now)
}

async fn ask(asking: Asking, said: Artifact, at: Timestamp) -> Option<TransferDestinationReply> {
    let Asking {
        outbox,
        to,
        id,
        call,
    } = asking;
    let event = ServerEvent::TransferDestinationRequest(TransferDestinationRequest {});
    if !to.is_told_of(&event) {
        return None;
    }
    let question = Tried::question(asking::of(id, &call), event.kind(), None);
    let body = messages::body(event, call, at, Some(said));
    let answer = outbox.ask(&to, body, ANSWERED_WITHIN, question).await?;
    read(&answer)
}

/// What came back, if it is an answer at all.
pub(super) fn read(answer: &[u8]) -> Option<TransferDestinationReply> {
    platform::read(answer).ok()
}
