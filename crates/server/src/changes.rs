//! From the records to open pages: what any node has stored is told to the pages that are open here.

use std::time::Duration;

use records::{Change, Changes};

use crate::app::App;
use crate::end_of_visit;

/// How often it is measured whether the bell rings.
const MEASURED_EVERY: Duration = Duration::from_secs(5);

/// Passes changes on until the server has stopped.
pub async fn pass_on(app: App, mut changes: Changes) {
    let bell = changes.bell();
    let mut measured = tokio::time::interval(MEASURED_EVERY);
    loop {
        let change = tokio::select! {
            change = changes.next() => change,
            _ = measured.tick() => {
                let silent = if bell.rings() { 0.0 } else { 1.0 };
                metrics::gauge!("nightlight_doorbell_silent").set(silent);
                continue;
            }
            () = app.stopped.cancelled() => return,
        };
        match change {
            Some(Change::Of { visitor, call }) => {
                metrics::counter!("nightlight_changes_told_total").increment(1);
                app.notifications.changed(visitor, call);
                app.case_bell.notify_one();
            }
            Some(Change::Left(visitor)) => end_of_visit::here(&app, visitor),
            Some(Change::Missed) => {
                app.notifications.missed();
                app.case_bell.notify_one();
            }
            None => return,
        }
    }
}
