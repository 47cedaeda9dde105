//! A visitor leaves: what this node holds of their visit ends at once, and so it does on every other node of the same
//! records, where a call of theirs may be under way.

use std::time::Duration;

use flow::EndReason;
use records::VisitorId;

use crate::app::App;
use crate::written::exchange;

/// Waits between the tries to tell the other servers. A call there that hears of nothing is cut off by the page that is gone,
/// and would be given up within about as long.
const RETRIES: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(8),
];

/// On this node now, and on the others as soon as they hear of it. Waits for nobody.
pub fn everywhere(app: &App, visitor: VisitorId) {
    here(app, visitor);
    let app = app.clone();
    app.tasks.clone().spawn(async move {
        let mut waits = RETRIES.into_iter();
        loop {
            let Err(error) = app.records.leave(visitor).await else {
                return;
            };
            let Some(wait) = waits.next() else {
                tracing::warn!(
                    %error,
                    "a visitor left and other nodes could not be told: a call of theirs there ends as one whose line was lost"
                );
                return;
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = app.stopping.cancelled() => return,
            }
        }
    });
}

/// Their calls and written conversations on this node end as if they had hung up, and their event streams close.
pub fn here(app: &App, visitor: VisitorId) {
    for call in app.lines.leave_all(visitor) {
        app.switchboard.hang_up(call, EndReason::CallerEnded);
    }
    for conversation in app.written.of(visitor) {
        // Carried through also when the page is gone by now, as it is likely to be.
        let app = app.clone();
        let tasks = app.tasks.clone();
        tasks
            .spawn(async move { exchange::end(&app, &conversation, EndReason::CallerEnded).await });
    }
    app.notifications.close(visitor);
}
