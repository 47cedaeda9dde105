//! What every path that asks for a key may answer because that is a token, whoever describes the path. So no room forgets it.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

/// The status, the codes, and whether a path that has the status already says so too.
const ANSWERS: [(&str, &str, bool); 4] = [
    ("401", "`key-revoked`, `key-expired`", true),
    ("403", "`key-public`, `origin-not-allowed`", true),
    (
        "429",
        "`too-often`: with wrong tokens, and with too many reads",
        false,
    ),
    ("503", "`records-unavailable`", false),
];

pub fn describe(document: &mut OpenApi) {
    let asks = SecurityRequirement::new("key", Vec::<String>::new());
    for item in document.paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.post,
            &mut item.put,
            &mut item.patch,
            &mut item.delete,
        ];
        let operations = operations.into_iter().filter_map(Option::as_mut);
        for operation in operations {
            let keys = operation.security.as_ref();
            if keys.is_some_and(|keys| keys.contains(&asks)) {
                describe_one(operation);
            }
        }
    }
}

fn describe_one(operation: &mut Operation) {
    for (status, codes, adds) in ANSWERS {
        let answers = &mut operation.responses.responses;
        match answers.get_mut(status) {
            Some(RefOr::T(answer))
                if adds && !answer.description.contains("origin-not-allowed") =>
            {
                answer.description = format!("{}; of a token: {codes}", answer.description);
            }
            Some(_) => {}
            None => {
                answers.insert(status.to_owned(), RefOr::T(refusal(codes)));
            }
        }
    }
}

fn refusal(codes: &str) -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorAnswer")));
    ResponseBuilder::new()
        .description(codes)
        .content("application/json", body.build())
        .build()
}
