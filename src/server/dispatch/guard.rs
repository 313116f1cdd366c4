//! Turns a panic into a value, so that a faulty tool answers like any other and the server lives on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use tapps_base::Error;

/// The text of a panic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaughtPanic(pub String);

impl CaughtPanic {
    /// Reads the payload of a panic.
    #[must_use]
    pub fn from_payload(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a value that is not text".to_owned());
        Self(text)
    }

    /// The error that the caller gets; the text of the panic goes to the log under the same identifier.
    #[must_use]
    pub fn into_error(self, tool: &str, correlation: &str) -> Error {
        tracing::error!(tool, correlation, panic = self.0, "a tool panicked");
        Error::internal(format!("{tool} failed unexpectedly (correlation id {correlation})"))
            .hint("this is a fault of the server; the log has the details under the correlation id")
    }
}

/// Runs `work` and catches a panic in any of its steps.
///
/// # Errors
/// The panic.
pub async fn catch_panic<T>(work: impl Future<Output = T>) -> Result<T, CaughtPanic> {
    let mut work = pin!(work);
    std::future::poll_fn(move |context| {
        // The future is not polled again after a panic, so that no one sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(payload) => Poll::Ready(Err(CaughtPanic::from_payload(payload.as_ref()))),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_after_waiting_is_caught_with_its_text() {
        let caught = catch_panic(async {
            tokio::task::yield_now().await;
            assert_eq!(1, 2, "not so");
        })
        .await
        .unwrap_err();
        assert!(caught.0.contains("not so"), "{caught:?}");
        assert_eq!(catch_panic(async { 7 }).await, Ok(7));
    }
}
