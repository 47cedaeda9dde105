//! Which of a list is asked for, in the platform's words: how many, from when until when, and which page. A parameter that
//! cannot be taken is refused by its name, and so is one that the platform narrows a list by and this server does not: a list of
//! everything would be taken for what was asked for. One that nobody knows is left aside, as everywhere.

use axum::extract::{FromRequestParts, MatchedPath, Query};
use axum::http::request::Parts;
use jiff::Timestamp;
use platform::resource::PaginationMeta;
use records::Window;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::errors::ApiError;

const USUAL: u32 = 100;
const MOST: u32 = 1000;
/// Of values that are given as one parameter: as many as a list has unless told.
const MOST_OF_ANY: usize = 100;
/// Beyond it there is nothing.
const LAST_PAGE: u32 = 1_000_000;

/// Of calls, whichever of their lists.
const OF_CALLS: &[&str] = &[
    "assistantName",
    "assistantOverrides",
    "async",
    "cost",
    "costGe",
    "costLe",
    "cursor",
    "customer",
    "customerNumberAny",
    "email",
    "endedReasonAnyBitmap",
    "score",
    "squadName",
    "structuredOutputs",
    "successEvaluation",
    "transcript",
];

/// By the path of a list: what the platform narrows it by and this server does not.
const IN_VAIN: &[(&str, &[&str])] = &[
    ("/call", OF_CALLS),
    ("/v2/call", OF_CALLS),
    ("/v2/call/export", OF_CALLS),
    (
        "/session",
        &[
            "assistantOverrides",
            "customer",
            "customerNumberAny",
            "email",
            "extension",
            "externalId",
            "number",
            "numberE164CheckEnabled",
            "phoneNumberIdAny",
            "sipUri",
            "squadOverrides",
        ],
    ),
    ("/squad", &["idAny"]),
    ("/template", &["collectionId", "provider", "visibility"]),
    (
        "/voice-library/{provider}",
        &["isCloned", "keyword", "page"],
    ),
    ("/assistant/{id}/version", &["page", "pageState"]),
];

fn refuse_in_vain(parts: &Parts) -> Result<(), ApiError> {
    let path = parts.extensions.get::<MatchedPath>();
    let list = path.and_then(|path| IN_VAIN.iter().find(|(list, _)| *list == path.as_str()));
    let (Some((_, names)), Some(query)) = (list, parts.uri.query()) else {
        return Ok(());
    };
    // What is within an object is written `customer[number]`.
    let mut asked = query
        .split('&')
        .filter_map(|pair| pair.split(['=', '[', '%']).next());
    let in_vain = asked.find_map(|name| names.iter().copied().find(|it| *it == name));
    match in_vain {
        Some(name) => Err(ApiError::Parameter {
            name,
            expected: "it to be left out: this server does not narrow the list by it, and would answer with all",
        }),
        None => Ok(()),
    }
}

/// The query of a request as `T`.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        refuse_in_vain(parts)?;
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(asked)| Self(asked))
            .map_err(|_| ApiError::Parameter {
                name: "query",
                expected: "each parameter at most once, in UTF-8",
            })
    }
}

/// How many, and from when until when.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// At most so many: 100 unless told, and of an export all.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// Made after this moment.
    #[param(value_type = Option<String>, format = DateTime)]
    created_at_gt: Option<String>,
    /// Made before it.
    #[param(value_type = Option<String>, format = DateTime)]
    created_at_lt: Option<String>,
    /// Made at this moment or after it.
    #[param(value_type = Option<String>, format = DateTime)]
    created_at_ge: Option<String>,
    /// Made at this moment or before it.
    #[param(value_type = Option<String>, format = DateTime)]
    created_at_le: Option<String>,
    /// Changed after this moment.
    #[param(value_type = Option<String>, format = DateTime)]
    updated_at_gt: Option<String>,
    /// Changed before it.
    #[param(value_type = Option<String>, format = DateTime)]
    updated_at_lt: Option<String>,
    /// Changed at this moment or after it.
    #[param(value_type = Option<String>, format = DateTime)]
    updated_at_ge: Option<String>,
    /// Changed at this moment or before it.
    #[param(value_type = Option<String>, format = DateTime)]
    updated_at_le: Option<String>,
}

impl ListQuery {
    pub fn limit(&self) -> Result<u32, ApiError> {
        number(
            self.limit.as_deref(),
            "limit",
            USUAL,
            MOST,
            "a whole number from 1 to 1000",
        )
    }

    /// `None` where it was not told.
    pub fn limit_given(&self) -> Result<Option<u32>, ApiError> {
        self.limit.as_ref().map(|_| self.limit()).transpose()
    }

    pub fn created(&self) -> Result<Window, ApiError> {
        window([
            (&self.created_at_gt, "createdAtGt", Window::after),
            (&self.created_at_lt, "createdAtLt", Window::before),
            (&self.created_at_ge, "createdAtGe", Window::from),
            (&self.created_at_le, "createdAtLe", Window::until),
        ])
    }

    pub fn updated(&self) -> Result<Window, ApiError> {
        window([
            (&self.updated_at_gt, "updatedAtGt", Window::after),
            (&self.updated_at_lt, "updatedAtLt", Window::before),
            (&self.updated_at_ge, "updatedAtGe", Window::from),
            (&self.updated_at_le, "updatedAtLe", Window::until),
        ])
    }

    pub fn wanted(&self) -> Result<resources::Wanted, ApiError> {
        Ok(resources::Wanted {
            created: self.created()?,
            updated: self.updated()?,
            ..resources::Wanted::latest(self.limit()?)
        })
    }

    /// The same, on a page.
    pub fn wanted_on(&self, page: &PageQuery) -> Result<(resources::Wanted, u32), ApiError> {
        let wanted = self.wanted()?;
        let (number, newest_first) = (page.page()?, page.newest_first()?);
        let wanted = resources::Wanted {
            newest_first,
            skip: skipped(number, wanted.most),
            ..wanted
        };
        Ok((wanted, number))
    }
}

/// A bound as it was given, its name, and what it leaves of a window.
type Bound<'q> = (
    &'q Option<String>,
    &'static str,
    fn(Window, Timestamp) -> Window,
);

fn window(bounds: [Bound<'_>; 4]) -> Result<Window, ApiError> {
    let mut window = Window::ALL;
    for (given, name, narrow) in bounds {
        if let Some(at) = moment(given, name)? {
            window = narrow(window, at);
        }
    }
    Ok(window)
}

/// Which page, and in which order.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// From 1.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1_000_000)]
    page: Option<String>,
    /// `DESC`, the newest first, unless told.
    #[param(value_type = Option<SortOrder>, inline)]
    sort_order: Option<String>,
    /// Only by when they were made.
    #[param(value_type = Option<SortBy>, inline)]
    sort_by: Option<String>,
}

/// For the description alone.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "UPPERCASE")]
#[allow(dead_code)]
enum SortOrder {
    Asc,
    Desc,
}

/// For the description alone.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code)]
enum SortBy {
    CreatedAt,
}

impl PageQuery {
    pub fn page(&self) -> Result<u32, ApiError> {
        number(
            self.page.as_deref(),
            "page",
            1,
            LAST_PAGE,
            "a whole number from 1 to 1000000",
        )
    }

    pub fn newest_first(&self) -> Result<bool, ApiError> {
        if !matches!(self.sort_by.as_deref(), None | Some("createdAt")) {
            return Err(ApiError::Parameter {
                name: "sortBy",
                expected: "`createdAt`: there is no other order",
            });
        }
        match self.sort_order.as_deref() {
            None | Some("DESC") => Ok(true),
            Some("ASC") => Ok(false),
            Some(_) => Err(ApiError::Parameter {
                name: "sortOrder",
                expected: "`ASC` or `DESC`",
            }),
        }
    }
}

/// Several values in one parameter, with commas between. Of none nothing is found.
pub fn any_of<'q>(
    given: Option<&'q str>,
    name: &'static str,
) -> Result<Option<Vec<&'q str>>, ApiError> {
    let Some(given) = given else {
        return Ok(None);
    };
    let values = given.split(',').map(str::trim);
    let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
    match values.len() {
        0..=MOST_OF_ANY => Ok(Some(values)),
        _ => Err(ApiError::Parameter {
            name,
            expected: "at most 100 values, with commas between",
        }),
    }
}

/// What is left of several by one that is told beside them. `None` where neither is told.
pub fn one_of<T: PartialEq>(one: Option<T>, any: Option<Vec<T>>) -> Option<Vec<T>> {
    match (one, any) {
        (None, any) => any,
        (Some(one), None) => Some(vec![one]),
        (Some(one), Some(mut any)) => {
            any.retain(|it| *it == one);
            Some(any)
        }
    }
}

/// How many stand before a page.
pub fn skipped(page: u32, most: u32) -> u32 {
    (page - 1).saturating_mul(most)
}

pub fn pagination(page: u32, most: u32, total: u64) -> PaginationMeta {
    PaginationMeta {
        items_per_page: most,
        total_items: total,
        current_page: page,
    }
}

/// The official clients type numbers as floating: `10.0` is ten.
fn number(
    given: Option<&str>,
    name: &'static str,
    usual: u32,
    most: u32,
    expected: &'static str,
) -> Result<u32, ApiError> {
    let Some(given) = given else {
        return Ok(usual);
    };
    let whole = given.strip_suffix(".0").unwrap_or(given);
    whole
        .parse()
        .ok()
        .filter(|number| (1..=most).contains(number))
        .ok_or(ApiError::Parameter { name, expected })
}

fn moment(given: &Option<String>, name: &'static str) -> Result<Option<Timestamp>, ApiError> {
    let moment = given.as_deref().map(str::parse);
    moment.transpose().map_err(|_| ApiError::Parameter {
        name,
        expected: "a moment such as 2026-11-24T12:00:00Z",
    })
}
