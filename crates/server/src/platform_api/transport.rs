//! How a call's audio travels: what its answer says of joining it, and what is noted beside the call, so that it reads back as the
//! kind that was asked for. A page that falls back to the WebSocket has asked for a web call all the same.

use axum::http::HeaderMap;
use jiff::Timestamp;
use platform::{AudioFormat, CallKind, CallTransport, CreateWebCall, TransportProvider};
use redact::Secret;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::App;
use crate::{origin, relay};

/// Among what is kept of how a call is held.
const FIELD: &str = "transport";

/// The one that was asked for.
pub fn asked_for(asked: &CreateWebCall) -> TransportProvider {
    match asked.transport.as_ref().map(|transport| transport.provider) {
        Some(TransportProvider::VapiWebsocket) => TransportProvider::VapiWebsocket,
        _ => TransportProvider::Whip,
    }
}

/// With the transport, where that is not the usual one.
pub fn noted(kept: Option<Secret<String>>, transport: TransportProvider) -> Option<Secret<String>> {
    if transport != TransportProvider::VapiWebsocket {
        return kept;
    }
    let mut fields = fields(kept.as_ref());
    fields.insert(FIELD.to_owned(), transport.as_str().into());
    Some(Secret::new(Value::from(fields).to_string()))
}

/// What was noted.
pub fn of(kept: Option<&Secret<String>>) -> TransportProvider {
    let fields = fields(kept);
    let noted = fields.get(FIELD).and_then(Value::as_str);
    match noted == Some(TransportProvider::VapiWebsocket.as_str()) {
        true => TransportProvider::VapiWebsocket,
        false => TransportProvider::Whip,
    }
}

fn fields(kept: Option<&Secret<String>>) -> Map<String, Value> {
    let fields = kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok());
    fields.unwrap_or_default()
}

pub fn kind(transport: TransportProvider) -> CallKind {
    match transport {
        TransportProvider::VapiWebsocket => CallKind::Websocket,
        TransportProvider::Daily | TransportProvider::Whip => CallKind::Web,
    }
}

/// Where a call is joined, for whoever asks with these headers. Both ways in are named.
pub fn joining(
    app: &App,
    headers: &HeaderMap,
    call: Uuid,
    transport: TransportProvider,
) -> CallTransport {
    let origin = origin::of_request(headers, &app.settings);
    let path = format!("{}/call/{call}", origin::path_here(&app.settings));
    CallTransport {
        provider: Some(transport.as_str().to_owned()),
        call_url: Some(format!("{origin}{path}/whip")),
        websocket_call_url: Some(format!("{}{path}/socket", origin::for_sockets(&origin))),
        audio_format: Some(AudioFormat::pcm_16k()),
        ice_servers: relay::ice_servers(&app.settings, Timestamp::now()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transport_is_noted_among_what_is_kept_where_it_is_not_the_usual_one() {
        let kept = Some(Secret::new(String::from(r#"{"maxDurationSeconds":900}"#)));
        let usual = noted(kept.clone(), TransportProvider::Whip);
        assert_eq!(usual, kept);
        assert_eq!(of(usual.as_ref()), TransportProvider::Whip);
        for before in [kept, None] {
            let with = noted(before.clone(), TransportProvider::VapiWebsocket);
            assert_eq!(of(with.as_ref()), TransportProvider::VapiWebsocket);
            let mut rest = fields(with.as_ref());
            rest.remove(FIELD);
            assert_eq!(rest, fields(before.as_ref()));
        }
        assert_eq!(noted(None, TransportProvider::Whip), None);
    }
}
