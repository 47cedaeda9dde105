//! `/v2/knowledge-base`: knowledge bases, kept by name. What callers are told comes from the program's own.

use platform::resource::{CreateKnowledgeBase, KnowledgeBase};

use super::kept::kept_resource;
use super::list_query::ListQuery;
use crate::errors::ErrorAnswer;

kept_resource!(create: KnowledgeBase, CreateKnowledgeBase, KnowledgeBase, "/v2/knowledge-base", "create_knowledge_base");
kept_resource!(list: KnowledgeBase, KnowledgeBase, "/v2/knowledge-base", "list_knowledge_bases");
kept_resource!(read: KnowledgeBase, KnowledgeBase, "/v2/knowledge-base/{id}", "read_knowledge_base");
kept_resource!(update: KnowledgeBase, CreateKnowledgeBase, KnowledgeBase, "/v2/knowledge-base/{id}", "update_knowledge_base");
kept_resource!(remove: KnowledgeBase, KnowledgeBase, "/v2/knowledge-base/{id}", "remove_knowledge_base");
