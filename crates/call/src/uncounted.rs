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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;
    use metrics::{
        Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
    };

    use super::*;

    /// How often something was to be counted.
    #[derive(Default)]
    struct Counted(AtomicUsize);

    impl Recorder for Counted {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
            self.0.fetch_add(1, Ordering::Relaxed);
            Counter::noop()
        }

        fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
            Gauge::noop()
        }

        fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
            Histogram::noop()
        }
    }

    #[test]
    fn work_that_is_not_counted_is_done_and_the_next_is_counted_again() {
        async fn counts() {
            metrics::counter!("only_in_this_test").increment(1);
        }
        let counted = Counted::default();
        metrics::with_local_recorder(&counted, || {
            assert!(uncounted(counts()).now_or_never().is_some());
            assert_eq!(counted.0.load(Ordering::Relaxed), 0);
            assert!(counts().now_or_never().is_some());
            assert_eq!(counted.0.load(Ordering::Relaxed), 1);
        });
    }
}
