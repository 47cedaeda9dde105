//! How calls are counted: what is asked of `POST /analytics`, and its answer. What is counted, and how, is the server's.

use jiff::Timestamp;
use redact::Secret;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::call::Inline;
use crate::invalid::{Invalid, read};
use crate::time;

const MOST_QUERIES: usize = 10;

/// The body of `POST /analytics`.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
pub struct AnalyticsQueries {
    #[schema(min_items = 1, max_items = 10)]
    pub queries: Vec<AnalyticsQuery>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsQuery {
    /// To find its answer by.
    #[schema(value_type = String)]
    pub name: Secret<String>,
    pub table: AnalyticsTable,
    #[serde(default)]
    pub group_by: Option<Vec<AnalyticsGroup>>,
    /// Not offered: what a program says of a call is not counted.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub group_by_variable_value: Option<Vec<Inline>>,
    #[serde(default)]
    pub time_range: Option<AskedTimeRange>,
    #[schema(min_items = 1)]
    pub operations: Vec<AnalyticsOperation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalyticsTable {
    Call,
    /// Not offered.
    Subscription,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub enum AnalyticsGroup {
    #[serde(rename = "type")]
    Type,
    #[serde(rename = "assistantId")]
    AssistantId,
    #[serde(rename = "endedReason")]
    EndedReason,
    #[serde(rename = "status")]
    Status,
    /// Not offered: no call is said to be a success.
    #[serde(rename = "analysis.successEvaluation")]
    SuccessEvaluation,
}

#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
pub struct AnalyticsOperation {
    pub operation: AnalyticsOperationName,
    pub column: AnalyticsColumn,
    /// What it is called in the answer: otherwise such as `sumDuration`.
    #[serde(default)]
    pub alias: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalyticsOperationName {
    Sum,
    Avg,
    Count,
    Min,
    Max,
    /// Not offered: ask with a `step`.
    History,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
pub enum AnalyticsColumn {
    /// Calls: to be counted.
    #[serde(rename = "id")]
    Id,
    /// In seconds, of calls that have ended.
    #[serde(rename = "duration")]
    Duration,
    /// The same in minutes.
    #[serde(rename = "minutesUsed")]
    MinutesUsed,
    /// 0: a call is held here.
    #[serde(rename = "cost")]
    Cost,
    /// Not offered, as those that follow.
    #[serde(rename = "concurrency")]
    Concurrency,
    #[serde(rename = "costBreakdown.llm")]
    CostLlm,
    #[serde(rename = "costBreakdown.stt")]
    CostStt,
    #[serde(rename = "costBreakdown.tts")]
    CostTts,
    #[serde(rename = "costBreakdown.vapi")]
    CostVapi,
    #[serde(rename = "costBreakdown.transport")]
    CostTransport,
    #[serde(rename = "costBreakdown.analysisBreakdown.summary")]
    CostSummary,
    #[serde(rename = "costBreakdown.transcriber")]
    CostTranscriber,
    #[serde(rename = "costBreakdown.ttsCharacters")]
    TtsCharacters,
    #[serde(rename = "costBreakdown.llmPromptTokens")]
    PromptTokens,
    #[serde(rename = "costBreakdown.llmCompletionTokens")]
    CompletionTokens,
    #[serde(rename = "costBreakdown.llmCachedPromptTokens")]
    CachedPromptTokens,
}

/// Of calls that began in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
pub struct AskedTimeRange {
    /// A row for each such part of it, and one for all of it without.
    #[serde(default)]
    pub step: Option<TimeStep>,
    /// Seven days ago, unless told.
    #[serde(default, with = "time::optional_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub start: Option<Timestamp>,
    /// Now, unless told.
    #[serde(default, with = "time::optional_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub end: Option<Timestamp>,
    /// In which days begin, such as `Asia/Singapore`: UTC, unless told.
    #[serde(default)]
    pub timezone: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeStep {
    Second,
    Minute,
    Hour,
    Day,
    /// From Monday.
    Week,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
    Millennium,
}

/// As it was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TimeRange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<TimeStep>,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub start: Timestamp,
    #[serde(with = "time::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub end: Timestamp,
    pub timezone: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsAnswer {
    #[serde(serialize_with = "redact::expose_secret")]
    #[schema(value_type = String)]
    pub name: Secret<String>,
    pub time_range: TimeRange,
    /// A row for each group, with its fields, `date` where there is a step, and a number for each operation. There is none for
    /// a step in which there was no call.
    #[schema(value_type = Vec<Object>)]
    pub result: Vec<Map<String, Value>>,
}

impl AnalyticsQueries {
    /// Reads the body, and checks that all of it can be answered.
    pub fn parse(body: &[u8]) -> Result<Self, Invalid> {
        let asked: Self = read(body)?;
        if !(1..=MOST_QUERIES).contains(&asked.queries.len()) {
            let problem = format!("expected 1 to {MOST_QUERIES} queries");
            return Err(Invalid::field("queries", problem));
        }
        for (index, query) in asked.queries.iter().enumerate() {
            query.check().map_err(|(field, problem)| {
                Invalid::field(format!("queries[{index}].{field}"), problem)
            })?;
        }
        Ok(asked)
    }
}

impl AnalyticsQuery {
    fn check(&self) -> Result<(), (String, &'static str)> {
        if self.table == AnalyticsTable::Subscription {
            return Err((
                String::from("table"),
                "expected `call`: there are no subscriptions",
            ));
        }
        let variables = self.group_by_variable_value.as_deref().unwrap_or_default();
        if !variables.is_empty() {
            let problem = "expected none: what a program says of a call is not counted";
            return Err((String::from("groupByVariableValue"), problem));
        }
        let groups = self.group_by.as_deref().unwrap_or_default();
        if let Some(at) = groups
            .iter()
            .position(|group| *group == AnalyticsGroup::SuccessEvaluation)
        {
            let problem = "expected `type`, `assistantId`, `endedReason` or `status`";
            return Err((format!("groupBy[{at}]"), problem));
        }
        if self.operations.is_empty() {
            return Err((String::from("operations"), "expected at least one"));
        }
        for (at, operation) in self.operations.iter().enumerate() {
            let problem = match (operation.operation, operation.column) {
                (AnalyticsOperationName::History, _) => (
                    "operation",
                    "expected `sum`, `avg`, `count`, `min` or `max`, with `timeRange.step` for each part of the time",
                ),
                (AnalyticsOperationName::Count, AnalyticsColumn::Id) => continue,
                (_, AnalyticsColumn::Id) => {
                    ("operation", "expected `count`: calls are not added up")
                }
                (
                    _,
                    AnalyticsColumn::Duration
                    | AnalyticsColumn::MinutesUsed
                    | AnalyticsColumn::Cost,
                ) => continue,
                _ => (
                    "column",
                    "expected `id`, `duration`, `minutesUsed` or `cost`",
                ),
            };
            return Err((format!("operations[{at}].{}", problem.0), problem.1));
        }
        Ok(())
    }
}

impl AnalyticsOperation {
    /// What it is called in the answer.
    pub fn title(&self) -> String {
        let operation = match self.operation {
            AnalyticsOperationName::Sum => "sum",
            AnalyticsOperationName::Avg => "avg",
            AnalyticsOperationName::Count => "count",
            AnalyticsOperationName::Min => "min",
            AnalyticsOperationName::Max => "max",
            AnalyticsOperationName::History => "history",
        };
        let column = match self.column {
            AnalyticsColumn::Id => "Id",
            AnalyticsColumn::Duration => "Duration",
            AnalyticsColumn::MinutesUsed => "MinutesUsed",
            _ => "Cost",
        };
        let alias = self.alias.clone();
        alias.unwrap_or_else(|| format!("{operation}{column}"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn problem(changes: Value) -> String {
        let mut query = json!({
            "name": "calls", "table": "call",
            "operations": [{"operation": "count", "column": "id"}],
        });
        let changes = changes.as_object().unwrap().clone();
        query.as_object_mut().unwrap().extend(changes);
        let body = json!({"queries": [query]}).to_string();
        let refused = AnalyticsQueries::parse(body.as_bytes());
        refused.map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_counted_is_refused_by_its_place() {
        let operation = |operation: &str, column: &str| json!({"operations": [{"operation": operation, "column": column}]});
        for (changes, place) in [
            (json!({"table": "subscription"}), "queries[0].table"),
            (
                json!({"groupBy": ["type", "analysis.successEvaluation"]}),
                "groupBy[1]",
            ),
            (
                json!({"groupByVariableValue": [{"key": "x"}]}),
                "groupByVariableValue",
            ),
            (json!({"operations": []}), "operations"),
            (operation("history", "duration"), "operations[0].operation"),
            (operation("sum", "id"), "operations[0].operation"),
            (operation("avg", "concurrency"), "operations[0].column"),
            (
                operation("avg", "costBreakdown.llm"),
                "operations[0].column",
            ),
        ] {
            assert!(problem(changes).contains(place), "{place}");
        }
    }
}
