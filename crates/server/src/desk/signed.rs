//! Who is signed in, as an argument of the handlers: [`Signed<SeeQueue>`] is there only for an account whose role may see the
//! queue. No path of the desk can forget to ask. What a role may do with some cases only is asked again with the case.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use desk::{Account, Act, Who};
use jiff::Timestamp;

use super::cookie;
use crate::app::App;
use crate::errors::ApiError;
use crate::records_unavailable::stored;

/// Somebody whose role may do this.
pub struct Signed<A> {
    pub session: desk::Signed,
    act: PhantomData<fn() -> A>,
}

impl<A> Signed<A> {
    pub fn account(&self) -> &Account {
        &self.session.account
    }

    pub fn who(&self) -> Who {
        self.session.who()
    }
}

/// What a handler does.
pub trait OfTheDesk {
    const ACT: Act;
}

macro_rules! acts {
    ($($act:ident)+) => {
        $(
            pub enum $act {}

            impl OfTheDesk for $act {
                const ACT: Act = Act::$act;
            }
        )+
    };
}

acts! {
    SeeOwnAccount SeeQueue SeeCase EnterCase EditNote CloseCase HoldRecord AcceptCall ListenIn Whisper TakeOver TakeShift ManageShifts ReadReport Export ManageAccounts ReadAudit
}

impl<A: OfTheDesk> FromRequestParts<App> for Signed<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let session = match cookie::token_of(&parts.headers) {
            Some(token) => {
                let signed = app.desk.signed(token.expose_secret(), Timestamp::now());
                stored(signed.await)?
            }
            None => None,
        };
        let Some(session) = session else {
            let is_open = stored(app.desk.is_open().await)?;
            return Err(match is_open {
                true => ApiError::NotSignedIn,
                false => ApiError::NoSuchPath,
            });
        };
        if !session.account.may(A::ACT) {
            return Err(ApiError::RoleForbids);
        }
        Ok(Self {
            session,
            act: PhantomData,
        })
    }
}
