//! The cookie that a session at the desk is held by. A script cannot read it, another site's page cannot send it, and it goes
//! to the desk's paths alone, where there is one node. Of several, each has the desk's paths below its own name too,
//! `/node/NAME/api/desk`: no path of a cookie takes these in but `/`. The server reads it at the desk's paths alone either way.

use axum::http::HeaderMap;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use redact::Secret;

use crate::settings::Settings;

const COOKIE: &str = "nightlight-desk";
const PATH: &str = "/api/desk";
const PATH_AMONG_NODES: &str = "/";

/// The token that this request brings, if any.
pub fn token_of(headers: &HeaderMap) -> Option<Secret<String>> {
    let token = CookieJar::from_headers(headers)
        .get(COOKIE)?
        .value()
        .to_owned();
    Some(Secret::new(token))
}

/// Has the browser hold this token until it is closed; when the session ends is for the server to say.
pub fn holding(token: &Secret<String>, settings: &Settings) -> String {
    cookie(token.expose_secret().clone(), settings).to_string()
}

/// Has the browser forget it.
pub fn taken_back(settings: &Settings) -> String {
    let mut cookie = cookie(String::new(), settings);
    cookie.make_removal();
    cookie.to_string()
}

fn cookie(token: String, settings: &Settings) -> Cookie<'static> {
    Cookie::build((COOKIE, token))
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(settings.is_reached_by_https())
        .path(path_of(settings))
        .build()
}

fn path_of(settings: &Settings) -> &'static str {
    match settings.node_name {
        Some(_) => PATH_AMONG_NODES,
        None => PATH,
    }
}
