//! `/assistant`: assistants. The embedded one is among them.

use platform::resource::{Assistant, CreateAssistant};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: Assistant, CreateAssistant, Assistant, "/assistant", "create_assistant");
kept_resource!(list: Assistant, Assistant, "/assistant", "list_assistants");
kept_resource!(read: Assistant, Assistant, "/assistant/{id}", "read_assistant");
kept_resource!(update: Assistant, CreateAssistant, Assistant, "/assistant/{id}", "update_assistant");
kept_resource!(remove: Assistant, Assistant, "/assistant/{id}", "remove_assistant");
