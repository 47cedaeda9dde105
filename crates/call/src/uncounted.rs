//! What a made-up caller's call does is measured nowhere: figures and alerts are of callers.

use std::future::poll_fn;
use std::pin::pin;

use metrics::NoopRecorder;

/// Does this work, and counts nothing that it would have counted on the tasks of the runtime. What engines measure on
/// threads of their own is theirs.
pub(crate) async fn uncounted<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|context| metrics::with_local_recorder(&NoopRecorder, || work.as_mut().poll(context)))
        .await
}
