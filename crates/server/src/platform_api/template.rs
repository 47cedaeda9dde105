//! `/template`: templates of tools. They are kept, and found again.

use platform::resource::{CreateTemplate, Template};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: Template, CreateTemplate, Template, "/template", "create_template");
kept_resource!(list: Template, Template, "/template", "list_templates");
kept_resource!(read: Template, Template, "/template/{id}", "read_template");
kept_resource!(update: Template, CreateTemplate, Template, "/template/{id}", "update_template");
kept_resource!(remove: Template, Template, "/template/{id}", "remove_template");
