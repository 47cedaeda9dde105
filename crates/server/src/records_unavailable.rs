//! A failed look at the records as an answer: the cause goes into the log once, the client hears
//! only that the records cannot be reached.

use std::error::Error;

use crate::errors::ApiError;

pub fn stored<T>(result: Result<T, impl Error>) -> Result<T, ApiError> {
    result.map_err(|error| {
        metrics::counter!("nightlight_records_failures_total").increment(1);
        tracing::error!(error = %error, "the records cannot be reached");
        ApiError::RecordsUnavailable
    })
}
