//! The cookies of the desk: the one that a session is held by, and the one that a browser takes along to an identity provider.
//! A script cannot read them. Another site's page cannot send the first; the second comes with whoever the provider sends back.
//!
//! They go to the desk's paths alone, where there is one node. Of several, each has the desk's paths below its own name too,
//! `/node/NAME/api/desk`: no path of a cookie takes these in but `/`. The server reads it at the desk's paths alone either way.

use axum::http::HeaderMap;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use redact::Secret;

use crate::settings::Settings;

const COOKIE: &str = "nightlight-desk";
const PATH: &str = "/api/desk";
const ON_THE_WAY: &str = "nightlight-desk-provider";
const ON_THE_WAY_PATH: &str = "/api/desk/provider";
const PATH_AMONG_NODES: &str = "/";

/// The token that this request brings, if any.
pub fn token_of(headers: &HeaderMap) -> Option<Secret<String>> {
    value_of(COOKIE, headers)
}

/// What this browser took along to the identity provider, if it was sent there.
pub fn held_on_the_way(headers: &HeaderMap) -> Option<Secret<String>> {
    value_of(ON_THE_WAY, headers)
}

fn value_of(name: &str, headers: &HeaderMap) -> Option<Secret<String>> {
    let value = CookieJar::from_headers(headers)
        .get(name)?
        .value()
        .to_owned();
    Some(Secret::new(value))
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

/// Has the browser take this along to the identity provider. How long one may stay there is for the provider to say.
pub fn on_the_way(held: &Secret<String>, settings: &Settings) -> String {
    on_the_way_cookie(held.expose_secret().clone(), settings).to_string()
}

/// It is back.
pub fn arrived(settings: &Settings) -> String {
    let mut cookie = on_the_way_cookie(String::new(), settings);
    cookie.make_removal();
    cookie.to_string()
}

/// Lax: the provider's page leads back here, and a strict one would not come along.
fn on_the_way_cookie(held: String, settings: &Settings) -> Cookie<'static> {
    Cookie::build((ON_THE_WAY, held))
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(settings.is_reached_by_https())
        .path(ON_THE_WAY_PATH)
        .build()
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
