//! `/credential`: by what other services know this organisation. Kept sealed with their secrets, which no answer shows: see
//! `kept::shown`. What is sent with them is in `credentials`.

use platform::resource::{CreateCredential, Credential};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: Credential, CreateCredential, Credential, "/credential", "create_credential");
kept_resource!(list: Credential, Credential, "/credential", "list_credentials");
kept_resource!(read: Credential, Credential, "/credential/{id}", "read_credential");
kept_resource!(update: Credential, CreateCredential, Credential, "/credential/{id}", "update_credential");
kept_resource!(remove: Credential, Credential, "/credential/{id}", "remove_credential");
