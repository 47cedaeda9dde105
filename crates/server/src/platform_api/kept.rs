//! What a program keeps, whatever its kind: made, listed, read, changed and removed. A room for each kind says which paths
//! and fields are its own. What is part of the program stands among the rest, and stays as it is.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use platform::call::Inline;
use platform::resource::{self, Kept, Known, Paginated};
use platform::{Invalid, resource::read_changes};
use redact::expose_secret;
use resources::{ChangeError, Kind, NewResource, Page, Resource, Wanted};
use serde::Serialize;
use uuid::Uuid;

use super::built_in;
use super::list_query::{ListQuery, PageQuery, pagination};
use super::not_followed;
use super::web_call::ORGANISATION;
use crate::app::App;
use crate::errors::ApiError;
use crate::records_unavailable::stored;
use crate::tokens;

/// Something kept, as it is answered.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Shown(#[serde(serialize_with = "expose_secret")] pub Inline);

impl IntoResponse for Shown {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// The id in a path. What is not in UTF-8 names nothing.
pub struct Id(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = PathRejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PathRejection> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(PathRejection::FailedToDeserializePathParams(_)) => Ok(Self(String::new())),
            Err(rejection) => Err(rejection),
        }
    }
}

/// The two ids in a path: of something, and of a part of it.
pub struct Ids(pub String, pub String);

impl<S: Send + Sync> FromRequestParts<S> for Ids {
    type Rejection = PathRejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PathRejection> {
        match Path::<(String, String)>::from_request_parts(parts, state).await {
            Ok(Path((whole, part))) => Ok(Self(whole, part)),
            Err(PathRejection::FailedToDeserializePathParams(_)) => {
                Ok(Self(String::new(), String::new()))
            }
            Err(rejection) => Err(rejection),
        }
    }
}

/// Keeps a new one.
pub async fn create<T: Known>(
    app: &App,
    kind: Kind,
    body: &[u8],
) -> Result<(StatusCode, Shown), ApiError> {
    let (_, fields) = resource::read_resource::<T>(body)?;
    if not_followed::holds_assistants(kind) {
        not_followed::refuse_promises(body)?;
    }
    add(app, NewResource::of(kind, fields)).await
}

/// What the answer says of a body that is kept, or that changes something kept.
pub fn what_is_not_followed(kind: Kind, body: &[u8]) -> HeaderMap {
    match not_followed::holds_assistants(kind) {
        true => not_followed::named(body),
        false => HeaderMap::new(),
    }
}

pub async fn add(app: &App, new: NewResource) -> Result<(StatusCode, Shown), ApiError> {
    let added = add_resource(app, new).await?;
    Ok((StatusCode::CREATED, shown(&added)))
}

pub async fn add_resource(app: &App, new: NewResource) -> Result<Resource, ApiError> {
    let added = stored(app.resources.add(new, Timestamp::now()).await)?;
    // An id of our own is taken by nothing.
    added.ok_or(ApiError::Internal)
}

/// The latest, and last of all what is part of the program.
pub async fn list(app: &App, kind: Kind, query: &ListQuery) -> Result<Json<Vec<Shown>>, ApiError> {
    let wanted = query.wanted()?;
    let page = stored(app.resources.list(kind, wanted).await)?;
    let mut listed: Vec<Shown> = page.resources.iter().map(shown).collect();
    let built_in = built_in::listed(app, kind, wanted);
    listed.extend(
        built_in
            .into_iter()
            .take(wanted.most as usize - listed.len()),
    );
    Ok(Json(listed))
}

/// A page of a kind of which nothing is part of the program.
pub async fn list_page(
    app: &App,
    kind: Kind,
    query: &ListQuery,
    page: &PageQuery,
) -> Result<Json<Paginated<Shown>>, ApiError> {
    let (wanted, number) = query.wanted_on(page)?;
    let listed = stored(app.resources.list(kind, wanted).await)?;
    Ok(Json(paginated(&listed, wanted, number, shown)))
}

pub fn paginated<T>(
    listed: &Page,
    wanted: Wanted,
    number: u32,
    show: impl Fn(&Resource) -> T,
) -> Paginated<T> {
    Paginated {
        results: listed.resources.iter().map(show).collect(),
        metadata: pagination(number, wanted.most, listed.total),
    }
}

/// A field of a body, and what is to stand in it, if that is asked for.
pub type WantedField<'q> = (&'static str, &'q Option<String>);

/// Those of a kind: all, the one of an id, or those in whose body these fields stand so.
pub async fn found(
    app: &App,
    kind: Kind,
    wanted: Wanted,
    id: Option<&str>,
    fields: &[WantedField<'_>],
) -> Result<Page, ApiError> {
    let fits = |resource: &Resource| {
        let body = resource.body.expose_secret();
        let stands = |(field, wanted): &WantedField<'_>| {
            let wanted = wanted.as_ref();
            wanted.is_none_or(|wanted| body.get(*field).is_some_and(|it| it == wanted))
        };
        fields.iter().all(stands)
    };
    if let Some(id) = id {
        let one = find(app, kind, id)
            .await
            .map(Some)
            .or_else(|error| match error {
                ApiError::UnknownResource { .. } => Ok(None),
                error => Err(error),
            })?;
        let in_time = |it: &Resource| {
            wanted.created.holds(it.created_at) && wanted.updated.holds(it.updated_at)
        };
        let one: Vec<_> = one
            .into_iter()
            .filter(|it| in_time(it) && fits(it))
            .collect();
        let total = one.len() as u64;
        let resources = one.into_iter().skip(wanted.skip as usize).collect();
        return Ok(Page { resources, total });
    }
    match fields.iter().all(|(_, wanted)| wanted.is_none()) {
        true => stored(app.resources.list(kind, wanted).await),
        false => all_that(app, kind, wanted, fits).await,
    }
}

/// Goes over a whole kind, the newest or the oldest first, for a look at what stands in bodies. These are sealed: no database can search them.
pub async fn all_that(
    app: &App,
    kind: Kind,
    wanted: Wanted,
    fits: impl Fn(&Resource) -> bool,
) -> Result<Page, ApiError> {
    const AT_ONCE: u32 = 200;
    let mut found = Vec::new();
    let mut skip = 0;
    loop {
        let portion = Wanted {
            skip,
            most: AT_ONCE,
            ..wanted
        };
        let page = stored(app.resources.list(kind, portion).await)?;
        let count = page.resources.len();
        found.extend(page.resources.into_iter().filter(|resource| fits(resource)));
        if count < AT_ONCE as usize {
            break;
        }
        skip += AT_ONCE;
    }
    let total = found.len() as u64;
    let resources = found
        .into_iter()
        .skip(wanted.skip as usize)
        .take(wanted.most as usize)
        .collect();
    Ok(Page { resources, total })
}

pub async fn read(app: &App, kind: Kind, id: &str) -> Result<Shown, ApiError> {
    if let Some(built_in) = built_in::shown(app, kind, id) {
        return Ok(built_in);
    }
    Ok(shown(&find(app, kind, id).await?))
}

/// One that a program keeps; nothing that is part of the program.
pub async fn find(app: &App, kind: Kind, id: &str) -> Result<Resource, ApiError> {
    let found = match id.parse::<Uuid>() {
        Ok(id) => stored(app.resources.get(kind, id).await)?,
        // What is not an id names nothing.
        Err(_) => None,
    };
    found.ok_or(unknown(kind))
}

/// Changes the fields that are named; `null` takes one out.
pub async fn update<T: Known>(
    app: &App,
    kind: Kind,
    id: &str,
    body: &[u8],
) -> Result<Resource, ApiError> {
    let changes = read_changes(body)?;
    if not_followed::holds_assistants(kind) {
        not_followed::refuse_promises(body)?;
    }
    change(app, kind, id, |stands| {
        resource::changed_resource::<T>(&stands.body, &changes)
    })
    .await
}

pub async fn change(
    app: &App,
    kind: Kind,
    id: &str,
    change: impl Fn(&Resource) -> Result<Inline, Invalid>,
) -> Result<Resource, ApiError> {
    refuse_built_in(kind, id)?;
    let id: Uuid = id.parse().map_err(|_| unknown(kind))?;
    let changed = app
        .resources
        .change(kind, id, Timestamp::now(), change)
        .await;
    match changed {
        Ok(resource) => Ok(resource),
        Err(ChangeError::Unknown) => Err(unknown(kind)),
        Err(ChangeError::Refused(invalid)) => Err(invalid.into()),
        Err(ChangeError::Store(error)) => stored(Err(error)),
    }
}

/// Removes one for good, and gives it as it was.
pub async fn remove(app: &App, kind: Kind, id: &str) -> Result<Resource, ApiError> {
    refuse_built_in(kind, id)?;
    let id: Uuid = id.parse().map_err(|_| unknown(kind))?;
    let removed = stored(app.resources.remove(kind, id).await)?;
    removed.ok_or(unknown(kind))
}

/// As it is answered. What is secret in its kind is told to nobody again.
pub fn shown(resource: &Resource) -> Shown {
    let told = match resource.kind {
        Kind::Credential => resource::without_secrets(&resource.body),
        Kind::Token => tokens::without_keys(&resource.body),
        _ => resource.body.clone(),
    };
    Shown(kept(resource).with(&told))
}

pub fn kept(resource: &Resource) -> Kept {
    Kept {
        id: resource.id.to_string(),
        org_id: ORGANISATION.to_owned(),
        created_at: resource.created_at,
        updated_at: resource.updated_at,
    }
}

fn refuse_built_in(kind: Kind, id: &str) -> Result<(), ApiError> {
    match built_in::is_one(kind, id) {
        true => Err(ApiError::BuiltIn {
            kind: kind.as_str(),
        }),
        false => Ok(()),
    }
}

pub fn unknown(kind: Kind) -> ApiError {
    ApiError::UnknownResource {
        kind: kind.as_str(),
        path: match kind {
            Kind::KnowledgeBase => "v2/knowledge-base",
            Kind::EvalRun => "eval/run",
            Kind::Test => "test-suite/{id}/test",
            Kind::TestSuiteRun => "test-suite/{id}/run",
            Kind::AssistantVersion => "assistant/{id}/version",
            kind => kind.as_str(),
        },
    }
}

/// The handlers of a kind that are as every kind's: the paths, the fields, and a name for each operation.
macro_rules! kept_resource {
    (create: $kind:ident, $fields:ident, $shown:ident, $path:tt, $operation:tt) => {
        /// Keeps a new one. Fields that are not known here are kept as they are, and given back.
        #[utoipa::path(
            post,
            path = $path,
            operation_id = $operation,
            tag = "platform",
            request_body = $fields,
            responses(
                (status = 201, body = $shown),
                (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
                (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
                (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
                (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
                (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
                (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
            ),
            security(("key" = []))
        )]
        pub async fn create(
            axum::extract::State(app): axum::extract::State<$crate::app::App>,
            _: $crate::keys::PrivateKey,
            $crate::request_body::JsonBody(body): $crate::request_body::JsonBody,
        ) -> Result<
            (axum::http::StatusCode, axum::http::HeaderMap, $crate::platform_api::kept::Shown),
            $crate::errors::ApiError,
        > {
            let kind = resources::Kind::$kind;
            let (status, shown) = $crate::platform_api::kept::create::<$fields>(&app, kind, &body).await?;
            Ok((status, $crate::platform_api::kept::what_is_not_followed(kind, &body), shown))
        }
    };
    (list: $kind:ident, $shown:ident, $path:tt, $operation:tt) => {
        /// Those that are kept, the newest first; what is part of the program stands last.
        #[utoipa::path(
            get,
            path = $path,
            operation_id = $operation,
            tag = "platform",
            params(ListQuery),
            responses(
                (status = 200, body = [$shown]),
                (status = 400, body = ErrorAnswer, description = "`parameter-invalid`"),
                (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
                (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
                (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
            ),
            security(("key" = []))
        )]
        pub async fn list(
            axum::extract::State(app): axum::extract::State<$crate::app::App>,
            _: $crate::keys::PrivateKey,
            $crate::platform_api::list_query::Asked(query): $crate::platform_api::list_query::Asked<ListQuery>,
        ) -> Result<axum::Json<Vec<$crate::platform_api::kept::Shown>>, $crate::errors::ApiError> {
            $crate::platform_api::kept::list(&app, resources::Kind::$kind, &query).await
        }
    };
    (read: $kind:ident, $shown:ident, $path:tt, $operation:tt) => {
        /// One that is kept.
        #[utoipa::path(
            get,
            path = $path,
            operation_id = $operation,
            tag = "platform",
            params(("id" = String, Path, description = "Its id")),
            responses(
                (status = 200, body = $shown),
                (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
                (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
                (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
                (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
            ),
            security(("key" = []))
        )]
        pub async fn read(
            axum::extract::State(app): axum::extract::State<$crate::app::App>,
            _: $crate::keys::PrivateKey,
            $crate::platform_api::kept::Id(id): $crate::platform_api::kept::Id,
        ) -> Result<$crate::platform_api::kept::Shown, $crate::errors::ApiError> {
            $crate::platform_api::kept::read(&app, resources::Kind::$kind, &id).await
        }
    };
    (update: $kind:ident, $fields:ident, $shown:ident, $path:tt, $operation:tt) => {
        /// Changes the fields that are named; `null` takes one out.
        #[utoipa::path(
            patch,
            path = $path,
            operation_id = $operation,
            tag = "platform",
            params(("id" = String, Path, description = "Its id")),
            request_body(content = Object, description = "The fields to be changed, each as it is when one is made"),
            responses(
                (status = 200, body = $shown),
                (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
                (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
                (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
                (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
                (status = 409, body = ErrorAnswer, description = "`resource-built-in`: it is part of the program"),
                (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
                (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
                (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
            ),
            security(("key" = []))
        )]
        pub async fn update(
            axum::extract::State(app): axum::extract::State<$crate::app::App>,
            _: $crate::keys::PrivateKey,
            $crate::platform_api::kept::Id(id): $crate::platform_api::kept::Id,
            $crate::request_body::JsonBody(body): $crate::request_body::JsonBody,
        ) -> Result<(axum::http::HeaderMap, $crate::platform_api::kept::Shown), $crate::errors::ApiError> {
            let kind = resources::Kind::$kind;
            let changed = $crate::platform_api::kept::update::<$fields>(&app, kind, &id, &body).await?;
            let shown = $crate::platform_api::kept::shown(&changed);
            Ok(($crate::platform_api::kept::what_is_not_followed(kind, &body), shown))
        }
    };
    (remove: $kind:ident, $shown:ident, $path:tt, $operation:tt) => {
        /// Removes one for good, and gives it as it was.
        #[utoipa::path(
            delete,
            path = $path,
            operation_id = $operation,
            tag = "platform",
            params(("id" = String, Path, description = "Its id")),
            responses(
                (status = 200, body = $shown),
                (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
                (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
                (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
                (status = 409, body = ErrorAnswer, description = "`resource-built-in`: it is part of the program"),
                (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
            ),
            security(("key" = []))
        )]
        pub async fn remove(
            axum::extract::State(app): axum::extract::State<$crate::app::App>,
            _: $crate::keys::PrivateKey,
            $crate::platform_api::kept::Id(id): $crate::platform_api::kept::Id,
        ) -> Result<$crate::platform_api::kept::Shown, $crate::errors::ApiError> {
            let kind = resources::Kind::$kind;
            let removed = $crate::platform_api::kept::remove(&app, kind, &id).await?;
            Ok($crate::platform_api::kept::shown(&removed))
        }
    };
}

pub(super) use kept_resource;
