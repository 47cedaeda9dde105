//! `/workflow`: workflows. They are kept; one that is a single conversation is served in calls: see `served`.

use platform::resource::{CreateWorkflow, Workflow};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: Workflow, CreateWorkflow, Workflow, "/workflow", "create_workflow");
kept_resource!(list: Workflow, Workflow, "/workflow", "list_workflows");
kept_resource!(read: Workflow, Workflow, "/workflow/{id}", "read_workflow");
kept_resource!(update: Workflow, CreateWorkflow, Workflow, "/workflow/{id}", "update_workflow");
kept_resource!(remove: Workflow, Workflow, "/workflow/{id}", "remove_workflow");
