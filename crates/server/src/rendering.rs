//! Makes the voice's fixed sentences ahead, while no call is live: of a voice that does not ship rendered, or where
//! agencies or the assistant's name were changed.

use std::sync::Arc;
use std::time::Duration;

use call::Switchboard;
use speech::RenderedVoice;
use tokio_util::sync::CancellationToken;

/// How long to leave the machine to calls before looking again.
const LOOK: Duration = Duration::from_secs(5);

/// Renders what is missing, the commonest first, until all is there or the server stops.
pub async fn render_ahead(
    voice: Arc<RenderedVoice>,
    sentences: Vec<String>,
    switchboard: Arc<Switchboard>,
    stopping: CancellationToken,
) {
    let missing = voice.missing(sentences);
    if missing.is_empty() {
        return;
    }
    let count = missing.len();
    tracing::info!(
        sentences = count,
        "rendering what is always said, while no call is live; until then it is made when it is said"
    );
    for (done, sentence) in missing.iter().enumerate() {
        while switchboard.live_calls() > 0 && !stopping.is_cancelled() {
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stopping.cancelled() => {}
            }
        }
        let rendered = tokio::select! {
            rendered = voice.render(sentence) => rendered,
            () = stopping.cancelled() => return,
        };
        if let Err(error) = rendered {
            tracing::warn!(%error, "rendering ahead has stopped; sentences are made when they are said");
            return;
        }
        if (done + 1) % (count / 10).max(1) == 0 {
            tracing::info!(rendered = done + 1, of = count, "rendered ahead");
        }
    }
}
