//! What somebody at the desk does in a live call, and its note on the audit trail: carried through together, so that whoever goes
//! before the answer leaves no act behind that the trail does not have.

use desk::{About, NewEntry, What, Who};
use jiff::Timestamp;
use records::CallId;
use uuid::Uuid;

use super::signed::Signed;
use crate::app::App;
use crate::carried_through::carried_through;
use crate::errors::ApiError;
use crate::records_unavailable::stored;

/// An act in a call, as the trail has it.
#[derive(Clone, Copy)]
pub struct InCall {
    who: Who,
    what: What,
    call: Uuid,
}

impl InCall {
    pub fn by<A>(signed: &Signed<A>, what: What, call: Uuid) -> Self {
        Self {
            who: signed.who(),
            what,
            call,
        }
    }

    /// For an act of which only the call knows whether it can be done: one that is refused is not noted. It is not undone over the
    /// trail either: what cannot be noted then is an error in the log.
    pub async fn done_and_noted<F>(
        self,
        app: App,
        act: impl FnOnce(App) -> F,
    ) -> Result<(), ApiError>
    where
        F: Future<Output = Result<(), ApiError>> + Send + 'static,
    {
        // What it leads to comes after it.
        let at = Timestamp::now();
        let (tasks, doing) = (app.tasks.clone(), act(app.clone()));
        let both = async move {
            doing.await?;
            self.note_what_holds(&app, at).await;
            Ok(())
        };
        carried_through(tasks, both).await
    }

    /// For an act that nobody is to do unnoted: what cannot be noted is not done. Whether it can be done is asked before: a note is
    /// not taken back.
    pub async fn noted_and_done<T, F>(
        self,
        app: App,
        act: impl FnOnce(App) -> F,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ApiError>> + Send + 'static,
    {
        let (tasks, doing) = (app.tasks.clone(), act(app.clone()));
        let both = async move {
            self.note(&app, Timestamp::now()).await?;
            doing.await
        };
        carried_through(tasks, both).await
    }

    pub async fn note(self, app: &App, at: Timestamp) -> Result<(), ApiError> {
        let entry = NewEntry {
            at,
            who: self.who,
            what: self.what,
            about: Some(About::Call(CallId(self.call))),
        };
        stored(app.desk.note(entry).await)
    }

    async fn note_what_holds(self, app: &App, at: Timestamp) {
        let (call, done) = (self.call, self.what.as_str());
        if let Err(error) = self.note(app, at).await {
            tracing::error!(%call, %error, %done, "what was done in a call is not on the audit trail");
        }
    }
}
