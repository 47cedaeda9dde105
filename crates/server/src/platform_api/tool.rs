//! `/tool`: tools. Those that the embedded assistant has are among them; it carries out no others.

use platform::resource::{CreateTool, Tool};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: Tool, CreateTool, Tool, "/tool", "create_tool");
kept_resource!(list: Tool, Tool, "/tool", "list_tools");
kept_resource!(read: Tool, Tool, "/tool/{id}", "read_tool");
kept_resource!(update: Tool, CreateTool, Tool, "/tool/{id}", "update_tool");
kept_resource!(remove: Tool, Tool, "/tool/{id}", "remove_tool");
