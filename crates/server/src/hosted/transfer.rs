//! Where a call is handed to, when the hosted assistant asks: to the squad's other member, by the agency it is for.

use std::sync::Arc;

use flow::{Agency, TransferMode};
use platform::{Call, Destination, ServerMessage, SpokenMessage, TransferDestinationReply};
use redact::Secret;

use super::{reading, report, under_way};
use crate::app::App;
use crate::helpline::HELPLINE;

/// Among the call's variables: the agency's code, where the assistant has settled on one.
const AGENCY: &str = "agency";

/// The reply. Its `description` is the agency's code, as the page reads it; where nobody knows one, the hand-over is without.
pub async fn destination(
    app: &App,
    message: &ServerMessage,
    told_at: jiff::Timestamp,
) -> TransferDestinationReply {
    let agency = match named(message) {
        Some(agency) => Some(agency),
        None => heard(app, message, told_at).await,
    };
    let said = agency
        .filter(|agency| agency.transfer_mode() == TransferMode::Warm)
        .map(|agency| {
            let words = format!(
                "I'm connecting you to {{{}}} now. Please stay on the line.",
                agency.as_str()
            );
            SpokenMessage::at_start(Secret::new(app.script.directory.fill(&words)))
        });
    TransferDestinationReply {
        destination: Some(Destination::Assistant {
            assistant_name: HELPLINE.authorities.clone(),
            description: agency.map(|agency| agency.as_str().to_owned()),
        }),
        message: said,
        error: None,
    }
}

/// The one that the assistant has settled on.
fn named(message: &ServerMessage) -> Option<Agency> {
    let now = message.artifact.as_ref();
    let asked_with = |call: &Call| call.variable(AGENCY);
    let code = now
        .and_then(|artifact| artifact.variable(AGENCY))
        .or_else(|| message.call.as_ref().and_then(asked_with))?;
    code.expose_secret().to_uppercase().parse().ok()
}

/// The one that the caller's own words call for.
async fn heard(app: &App, message: &ServerMessage, told_at: jiff::Timestamp) -> Option<Agency> {
    let messages = report::messages(message.artifact.as_ref()?);
    let began = under_way::began(message.call.as_ref(), told_at);
    let (reader, script) = (Arc::clone(&app.reader), Arc::clone(&app.script));
    let note = reading::note(&reader, &script, began, &messages, None).await;
    note.structured_data.transfer_to
}
