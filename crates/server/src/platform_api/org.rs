//! `/org`: the organisation, which is this server's own, and its members: the accounts of the duty desk.
//!
//! A private key opens records; it is no way to the desk, where officers speak with callers. So a program lists members, makes
//! accounts that nobody gets in with before an administrator of the desk has handed over a link, and moves members between the
//! roles of [`ROLES`] that are no administrator's, or removes them. Each of these is on the desk's audit trail. What else there is
//! of an organisation is refused.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use desk::{
    Account, AccountId, Change, ChangeError, InviteError, NewAccount, NewEntry, Role, SignInName,
    What, Who,
};
use jiff::Timestamp;
use platform::resource::{
    InviteMembers, Member, MemberRole, Org, UpdateMemberRole, UpdateOrg, changed_resource, known,
    read_changes,
};
use platform::{Invalid, read};
use redact::Secret;
use resources::{Kind, NewResource, Resource};
use uuid::Uuid;

use super::kept::{self, Id, Ids};
use super::web_call::ORGANISATION;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// Where what is said of the organisation is kept.
const STANDS_AT: Uuid = Uuid::from_u128(0x6e69_6768_746c_4967_8468_746f_7267_0001);
const UNNAMED: &str = "Nightlight";
/// So many are invited at once.
const MOST_INVITED: usize = 20;

/// What a role at the desk is called on the platform, and which of the desk's a program gives by that name. A supervisor is made
/// by an administrator.
const ROLES: [(Role, MemberRole); 4] = [
    (Role::Administrator, MemberRole::Admin),
    (Role::Officer, MemberRole::Editor),
    (Role::Supervisor, MemberRole::Editor),
    (Role::Auditor, MemberRole::Viewer),
];

fn called(role: Role) -> MemberRole {
    let named = ROLES.iter().find(|(known, _)| *known == role);
    named.map_or(MemberRole::Viewer, |(_, called)| *called)
}

/// Administrators say who gets in: no key makes one, or one less.
fn given(role: MemberRole) -> Result<Role, ApiError> {
    let named = ROLES.iter().find(|(_, called)| *called == role);
    named
        .map(|(role, _)| *role)
        .filter(|role| *role != Role::Administrator)
        .ok_or(ApiError::AdministratorsByPeople)
}

/// The organisations of this key: one.
#[utoipa::path(
    get,
    path = "/org",
    operation_id = "list_orgs",
    tag = "platform",
    responses(
        (status = 200, body = [Org]),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn list(State(app): State<App>, _: PrivateKey) -> Result<Json<Vec<Org>>, ApiError> {
    let stands = stands(&app).await?;
    Ok(Json(vec![shown(&app, &stands)]))
}

/// The organisation.
#[utoipa::path(
    get,
    path = "/org/{id}",
    operation_id = "read_org",
    tag = "platform",
    params(("id" = String, Path, description = "`nightlight`")),
    responses(
        (status = 200, body = Org),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn read_one(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
) -> Result<Json<Org>, ApiError> {
    this(&id)?;
    let stands = stands(&app).await?;
    Ok(Json(shown(&app, &stands)))
}

/// Changes the organisation's name; `null` takes it out. All else is set in the server's settings.
#[utoipa::path(
    patch,
    path = "/org/{id}",
    operation_id = "update_org",
    tag = "platform",
    params(("id" = String, Path, description = "`nightlight`")),
    request_body = UpdateOrg,
    responses(
        (status = 200, body = Org),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<Json<Org>, ApiError> {
    this(&id)?;
    let changes = read_changes(&body)?;
    UpdateOrg::only_the_name(&changes)?;
    stands(&app).await?;
    let change = |stands: &Resource| changed_resource::<UpdateOrg>(&stands.body, &changes);
    let changed = kept::change(&app, Kind::Org, &STANDS_AT.to_string(), change).await?;
    if stored(app.desk.is_open().await)? {
        let entry = NewEntry {
            at: Timestamp::now(),
            who: Who::PrivateKey,
            what: What::SettingsChanged,
            about: None,
        };
        stored(app.desk.note(entry).await)?;
    }
    Ok(Json(shown(&app, &changed)))
}

/// The members: who has an account at the duty desk that is not closed, in the order in which they were invited.
#[utoipa::path(
    get,
    path = "/org/{id}/user",
    operation_id = "list_members",
    tag = "platform",
    params(("id" = String, Path, description = "`nightlight`")),
    responses(
        (status = 200, body = [Member]),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn members(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
) -> Result<Json<Vec<Member>>, ApiError> {
    this(&id)?;
    let accounts = stored(app.desk.accounts(Timestamp::now()).await)?;
    let open = accounts.iter().filter(|it| !is_closed(it));
    Ok(Json(open.map(member).collect()))
}

/// Makes accounts at the duty desk, for `editor` an officer's and for `viewer` an auditor's. Nobody gets in with one before an
/// administrator of the desk has invited them, with a link that is not told here.
#[utoipa::path(
    post,
    path = "/org/{id}/invite",
    operation_id = "invite_members",
    tag = "platform",
    params(("id" = String, Path, description = "`nightlight`")),
    request_body = InviteMembers,
    responses(
        (status = 201, body = [Member], description = "Those that were made"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`; `administrators-by-people`: the role `admin`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`no-desk`; `sign-in-name-taken`: by one of them, and no account is made"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn invite(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<Vec<Member>>), ApiError> {
    this(&id)?;
    let asked: InviteMembers = read(&body)?;
    let role = given(asked.role)?;
    let names = sign_in_names(&asked.emails)?;
    let now = Timestamp::now();
    if !stored(app.desk.is_open().await)? {
        return Err(ApiError::NoDesk);
    }
    let accounts = stored(app.desk.accounts(now).await)?;
    let taken = |name: &SignInName| accounts.iter().any(|it| it.sign_in_name == *name);
    if names.iter().any(taken) {
        return Err(ApiError::SignInNameTaken);
    }
    let mut made = Vec::new();
    for sign_in_name in names {
        let (local, _) = sign_in_name.as_str().split_once('@').unwrap_or_default();
        let new = NewAccount {
            name: local.to_owned(),
            sign_in_name,
            role,
            agencies: Default::default(),
            languages: Default::default(),
        };
        let enlisted = app.desk.enlist(Who::PrivateKey, new, now).await;
        made.push(member(&enlisted.map_err(not_invited)?));
    }
    Ok((StatusCode::CREATED, Json(made)))
}

/// Gives a member another role, which ends their session. An administrator's stays, and nobody becomes one.
#[utoipa::path(
    patch,
    path = "/org/{id}/role",
    operation_id = "update_member_role",
    tag = "platform",
    params(("id" = String, Path, description = "`nightlight`")),
    request_body = UpdateMemberRole,
    responses(
        (status = 200, body = Member),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`, `administrators-by-people`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`, `account-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`account-closed`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn update_role(
    State(app): State<App>,
    _: PrivateKey,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<Json<Member>, ApiError> {
    this(&id)?;
    let asked: UpdateMemberRole = read(&body)?;
    let role = given(asked.role)?;
    let account: AccountId = asked
        .user_id
        .parse()
        .map_err(|_| ApiError::UnknownAccount)?;
    let now = Timestamp::now();
    let accounts = stored(app.desk.accounts(now).await)?;
    let stands = accounts.iter().find(|it| it.id == account);
    let stands = stands.ok_or(ApiError::UnknownAccount)?;
    match called(stands.role) {
        MemberRole::Admin => return Err(ApiError::AdministratorsByPeople),
        // A supervisor is called so too, and stays one.
        same if same == asked.role && !is_closed(stands) => return Ok(Json(member(stands))),
        _ => {}
    }
    let change = Change {
        role: Some(role),
        ..Change::default()
    };
    let changed = app
        .desk
        .change_account(Who::PrivateKey, account, change, now)
        .await;
    Ok(Json(member(&changed.map_err(not_changed)?)))
}

/// Closes a member's account at the duty desk, for good: they are signed out, and nobody signs in with it again. It stays on the
/// desk's list and on its audit trail. No administrator is removed so.
#[utoipa::path(
    delete,
    path = "/org/{id}/member/{memberId}/leave",
    operation_id = "remove_member",
    tag = "platform",
    params(
        ("id" = String, Path, description = "`nightlight`"),
        ("memberId" = String, Path, description = "The member")
    ),
    responses(
        (status = 200, body = Member, description = "As they were, and closed"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`, `administrators-by-people`"),
        (status = 404, body = ErrorAnswer, description = "`resource-not-found`, `account-not-found`: also of an account that is closed"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn remove_member(
    State(app): State<App>,
    _: PrivateKey,
    Ids(id, member_id): Ids,
) -> Result<Json<Member>, ApiError> {
    this(&id)?;
    let account: AccountId = member_id.parse().map_err(|_| ApiError::UnknownAccount)?;
    let now = Timestamp::now();
    let accounts = stored(app.desk.accounts(now).await)?;
    let mut members = accounts.iter().filter(|it| !is_closed(it));
    let stands = members.find(|it| it.id == account);
    let stands = stands.ok_or(ApiError::UnknownAccount)?;
    if called(stands.role) == MemberRole::Admin {
        return Err(ApiError::AdministratorsByPeople);
    }
    let closed = app.desk.close_account(Who::PrivateKey, account, now).await;
    closed.map_err(not_changed)?;
    Ok(Json(Member {
        state: desk::State::Closed.as_str().to_owned(),
        ..member(stands)
    }))
}

fn not_changed(error: ChangeError) -> ApiError {
    match error {
        ChangeError::Unknown => ApiError::UnknownAccount,
        ChangeError::Closed => ApiError::AccountClosed,
        ChangeError::Store(error) => match stored::<()>(Err(error)) {
            Err(error) => error,
            Ok(()) => ApiError::Internal,
        },
        ChangeError::OnesOwn | ChangeError::BadName(_) => ApiError::Internal,
    }
}

/// This server is one organisation, and there is no other.
fn this(id: &str) -> Result<(), ApiError> {
    match id == ORGANISATION {
        true => Ok(()),
        false => Err(kept::unknown(Kind::Org)),
    }
}

/// It is there from when somebody first asks for it.
async fn stands(app: &App) -> Result<Resource, ApiError> {
    if let Some(stands) = stored(app.resources.get(Kind::Org, STANDS_AT).await)? {
        return Ok(stands);
    }
    let new = NewResource {
        id: Some(STANDS_AT),
        ..NewResource::of(Kind::Org, Secret::default())
    };
    match stored(app.resources.add(new, Timestamp::now()).await)? {
        Some(added) => Ok(added),
        // Another asked at the same moment.
        None => kept::find(app, Kind::Org, &STANDS_AT.to_string()).await,
    }
}

fn shown(app: &App, stands: &Resource) -> Org {
    let known: UpdateOrg = known(&stands.body).unwrap_or_default();
    let name = known.name.unwrap_or_else(|| UNNAMED.to_owned().into());
    Org::of(kept::kept(stands), name, app.settings.max_calls as u64)
}

fn is_closed(account: &Account) -> bool {
    account.state == desk::State::Closed
}

fn member(account: &Account) -> Member {
    // An account's id holds when it was made.
    let made_at = account.id.0.get_timestamp().and_then(|made_at| {
        let (seconds, nanoseconds) = made_at.to_unix();
        Timestamp::new(seconds.try_into().ok()?, nanoseconds.try_into().ok()?).ok()
    });
    Member {
        id: account.id.to_string(),
        email: account.sign_in_name.to_string(),
        full_name: account.name.clone(),
        created_at: made_at.unwrap_or(Timestamp::UNIX_EPOCH),
        role: called(account.role),
        desk_role: account.role.as_str().to_owned(),
        state: account.state.as_str().to_owned(),
    }
}

fn sign_in_names(emails: &[String]) -> Result<Vec<SignInName>, Invalid> {
    let field = |path: String, problem: &str| Invalid::Field {
        path,
        problem: problem.to_owned(),
    };
    if emails.is_empty() || emails.len() > MOST_INVITED {
        return Err(field("emails".to_owned(), "expected one to twenty"));
    }
    let mut names = Vec::new();
    for (number, email) in emails.iter().enumerate() {
        let path = format!("emails[{number}]");
        let name: SignInName = email
            .parse()
            .map_err(|problem: desk::NotASignInName| field(path.clone(), &problem.to_string()))?;
        if names.contains(&name) {
            return Err(field(path, "expected each once"));
        }
        names.push(name);
    }
    Ok(names)
}

fn not_invited(error: InviteError) -> ApiError {
    match error {
        InviteError::NameTaken => ApiError::SignInNameTaken,
        InviteError::FirstIsAnAdministrator => ApiError::NoDesk,
        InviteError::BadName(problem) => ApiError::Body(Invalid::Field {
            path: "emails".to_owned(),
            problem: problem.to_string(),
        }),
        InviteError::Store(error) => match stored::<()>(Err(error)) {
            Err(error) => error,
            Ok(()) => ApiError::Internal,
        },
        InviteError::Unknown | InviteError::Closed => ApiError::Internal,
    }
}
