//! How much of each kind of work waits or is being done for all calls together: where it grows, callers wait.

/// One piece of it, until it is dropped.
pub struct UnderWay(metrics::Gauge);

impl UnderWay {
    pub fn of(stage: &'static str) -> Self {
        let gauge = metrics::gauge!("nightlight_work_under_way", "stage" => stage);
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
