//! `/openapi.json`: the description of every path. It is the same for as long as the program runs: its bytes are made once, when
//! they are first asked for, and whoever has them already is told so.

use std::io::Write;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::app;

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let plain = app::openapi().to_json();
    Document::of(plain.expect("names, words and numbers are JSON"))
});

struct Document {
    plain: Bytes,
    gzipped: Bytes,
    /// A weak one: it is of what is said, however that is packed.
    tag: String,
}

pub async fn serve(headers: HeaderMap) -> Response {
    let document = &*DOCUMENT;
    let always = [
        (header::ETAG, document.tag.as_str()),
        // Asked again each time, and answered "not modified".
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "accept-encoding"),
    ];
    if document.is_had(&headers) {
        return (StatusCode::NOT_MODIFIED, always).into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    let packed = [(header::CONTENT_ENCODING, "gzip")];
    match takes_gzip(&headers) {
        true => (always, json, packed, document.gzipped.clone()).into_response(),
        false => (always, json, document.plain.clone()).into_response(),
    }
}

impl Document {
    fn of(plain: String) -> Self {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        let written = packed.write_all(plain.as_bytes());
        let gzipped = written.and_then(|()| packed.finish());
        Self {
            tag: format!("W/\"{:x}\"", Sha256::digest(&plain)),
            gzipped: gzipped.expect("memory takes all that is written").into(),
            plain: plain.into(),
        }
    }

    /// Whether who asks says that they have it.
    fn is_had(&self, headers: &HeaderMap) -> bool {
        let own = opaque(&self.tag);
        named(headers, header::IF_NONE_MATCH).any(|tag| tag == "*" || opaque(tag) == own)
    }
}

/// A tag, weak or strong.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// What is named with a weight of nothing is refused.
fn takes_gzip(headers: &HeaderMap) -> bool {
    named(headers, header::ACCEPT_ENCODING).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().strip_prefix("q=");
        let weight = weight.and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// What stands in a header with commas between.
fn named(headers: &HeaderMap, header: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn saying(header: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header, HeaderValue::from_static(value))])
    }

    #[test]
    fn it_is_packed_for_those_who_can_read_it() {
        for (said, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("deflate,gzip; q=1", true),
            ("br", false),
            ("gzip;q=0", false),
            ("gzip;q=0.000, br", false),
            ("identity", false),
        ] {
            let headers = saying(header::ACCEPT_ENCODING, said);
            assert_eq!(takes_gzip(&headers), takes, "{said}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn who_has_it_is_known_by_its_tag_alone() {
        let document = Document {
            tag: String::from("W/\"1a\""),
            ..Document::of(String::from("{}"))
        };
        for (said, has) in [
            ("W/\"1a\"", true),
            ("\"1a\"", true),
            ("\"0\", W/\"1a\"", true),
            ("*", true),
            ("W/\"1b\"", false),
            ("1a", false),
        ] {
            let headers = saying(header::IF_NONE_MATCH, said);
            assert_eq!(document.is_had(&headers), has, "{said}");
        }
        assert!(!document.is_had(&HeaderMap::new()));
    }
}
