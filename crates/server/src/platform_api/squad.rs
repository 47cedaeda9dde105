//! `/squad`: squads. The embedded one is among them.

use platform::resource::{CreateSquad, Squad};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: Squad, CreateSquad, Squad, "/squad", "create_squad");
kept_resource!(list: Squad, Squad, "/squad", "list_squads");
kept_resource!(read: Squad, Squad, "/squad/{id}", "read_squad");
kept_resource!(update: Squad, CreateSquad, Squad, "/squad/{id}", "update_squad");
kept_resource!(remove: Squad, Squad, "/squad/{id}", "remove_squad");
