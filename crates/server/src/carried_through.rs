//! Work that is not left half done: a request's own future ends with its connection, wherever it stands.

use tokio_util::task::TaskTracker;

use crate::errors::ApiError;

/// Runs to the end whether or not the request that began it is still there; a shutdown waits for it.
pub async fn carried_through<T: Send + 'static>(
    tasks: TaskTracker,
    work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    tasks.spawn(work).await.unwrap_or(Err(ApiError::Internal))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn what_has_begun_is_done_though_who_asked_has_gone() {
        let tasks = TaskTracker::new();
        let (begun, begins) = oneshot::channel();
        let (go_on, goes_on) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let work = async move {
            begun.send(()).unwrap();
            goes_on.await.unwrap();
            done.send("done").unwrap();
            Ok(())
        };
        let asks = tokio::spawn(carried_through(tasks.clone(), work));
        begins.await.unwrap();
        asks.abort();
        assert!(asks.await.unwrap_err().is_cancelled());
        go_on.send(()).unwrap();
        tasks.close();
        tasks.wait().await;
        assert_eq!(is_done.await, Ok("done"));
    }
}
