//! The counting itself, pure: records go in, and rows come out.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{RoundMode, Timestamp, ToSpan, Unit, Zoned, ZonedRound};
use platform::analytics::{
    AnalyticsColumn, AnalyticsGroup, AnalyticsOperation, AnalyticsOperationName, AnalyticsQuery,
    TimeStep,
};
use records::CallRecord;
use serde_json::{Map, Value, json};

use super::super::served::Served;

/// A step's beginning, and what stands in each column that calls are grouped by.
type Group = (Option<Timestamp>, Vec<Option<String>>);

pub struct Counting<'q> {
    query: &'q AnalyticsQuery,
    step: Option<TimeStep>,
    zone: TimeZone,
    /// For each group a tally for each operation.
    groups: BTreeMap<Group, Vec<Tally>>,
}

/// What is known of the numbers of a column.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: u64,
    sum: f64,
    least: Option<f64>,
    most: Option<f64>,
}

impl<'q> Counting<'q> {
    pub fn new(query: &'q AnalyticsQuery, step: Option<TimeStep>, zone: TimeZone) -> Self {
        let mut groups = BTreeMap::new();
        // In all there is a number also of no calls.
        if step.is_none() && query.group_by.as_deref().unwrap_or_default().is_empty() {
            let tallies = vec![Tally::default(); query.operations.len()];
            groups.insert((None, Vec::new()), tallies);
        }
        Self {
            query,
            step,
            zone,
            groups,
        }
    }

    pub fn add(&mut self, record: &CallRecord) {
        let date = self
            .step
            .map(|step| begins(record.started_at, step, &self.zone));
        let groups = self.query.group_by.iter().flatten();
        let group = groups.map(|group| group_of(record, *group)).collect();
        let operations = &self.query.operations;
        let tallies = self.groups.entry((date, group));
        let tallies = tallies.or_insert_with(|| vec![Tally::default(); operations.len()]);
        for (tally, operation) in tallies.iter_mut().zip(operations) {
            if let Some(number) = number_of(record, operation.column) {
                tally.add(number);
            }
        }
    }

    pub fn rows(self) -> Vec<Map<String, Value>> {
        let query = self.query;
        let row = |((date, group), tallies): ((Option<Timestamp>, Vec<_>), Vec<Tally>)| {
            let mut row = Map::new();
            if let Some(date) = date {
                row.insert(String::from("date"), json!(date.to_string()));
            }
            for (name, value) in query.group_by.iter().flatten().zip(group) {
                row.insert(title(*name).to_owned(), json!(value));
            }
            for (operation, tally) in query.operations.iter().zip(tallies) {
                row.insert(operation.title(), tally.told(operation));
            }
            row
        };
        self.groups.into_iter().map(row).collect()
    }
}

impl Tally {
    fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.least = Some(self.least.map_or(number, |least| least.min(number)));
        self.most = Some(self.most.map_or(number, |most| most.max(number)));
    }

    fn told(self, operation: &AnalyticsOperation) -> Value {
        match operation.operation {
            AnalyticsOperationName::Count => json!(self.count),
            AnalyticsOperationName::Sum => json!(self.sum),
            AnalyticsOperationName::Avg if self.count > 0 => json!(self.sum / self.count as f64),
            AnalyticsOperationName::Min => json!(self.least),
            AnalyticsOperationName::Max => json!(self.most),
            AnalyticsOperationName::Avg | AnalyticsOperationName::History => Value::Null,
        }
    }
}

fn title(group: AnalyticsGroup) -> &'static str {
    match group {
        AnalyticsGroup::Type => "type",
        AnalyticsGroup::AssistantId => "assistantId",
        AnalyticsGroup::EndedReason => "endedReason",
        AnalyticsGroup::Status => "status",
        AnalyticsGroup::SuccessEvaluation => "analysis.successEvaluation",
    }
}

fn group_of(record: &CallRecord, group: AnalyticsGroup) -> Option<String> {
    let text = match group {
        AnalyticsGroup::Type => record.kind.as_str(),
        AnalyticsGroup::AssistantId => return Served::of(&record.label).assistant,
        AnalyticsGroup::EndedReason => record.ended_reason?.as_str(),
        AnalyticsGroup::Status if record.ended_at.is_some() => "ended",
        AnalyticsGroup::Status => "in-progress",
        AnalyticsGroup::SuccessEvaluation => return None,
    };
    Some(text.to_owned())
}

/// Of a call under way no duration is known.
fn number_of(record: &CallRecord, column: AnalyticsColumn) -> Option<f64> {
    match column {
        AnalyticsColumn::Id => Some(1.0),
        AnalyticsColumn::Duration => record.duration_seconds(),
        AnalyticsColumn::MinutesUsed => record.duration_seconds().map(|seconds| seconds / 60.0),
        AnalyticsColumn::Cost => Some(0.0),
        _ => None,
    }
}

/// When the part of time began that this moment is in, in that zone.
fn begins(at: Timestamp, step: TimeStep, zone: &TimeZone) -> Timestamp {
    let there = at.to_zoned(zone.clone());
    let whole = |unit: Unit| {
        let cut = ZonedRound::new().smallest(unit).mode(RoundMode::Trunc);
        there.round(cut).ok()
    };
    let day = there.date();
    let begun: Option<Zoned> = match step {
        TimeStep::Second => whole(Unit::Second),
        TimeStep::Minute => whole(Unit::Minute),
        TimeStep::Hour => whole(Unit::Hour),
        TimeStep::Day => there.start_of_day().ok(),
        step => first_day(day, step).and_then(|day| day.to_zoned(zone.clone()).ok()),
    };
    begun.map_or(at, |begun| begun.timestamp())
}

/// Centuries and millennia begin with their first year, as calendars and databases have it.
fn first_day(day: Date, step: TimeStep) -> Option<Date> {
    let year = |year: i16| Date::new(year, 1, 1).ok();
    match step {
        TimeStep::Week => {
            let since_monday = i64::from(day.weekday().to_monday_zero_offset());
            day.checked_sub(since_monday.days()).ok()
        }
        TimeStep::Month => Some(day.first_of_month()),
        TimeStep::Quarter => Date::new(day.year(), (day.month() - 1) / 3 * 3 + 1, 1).ok(),
        TimeStep::Year => year(day.year()),
        TimeStep::Decade => year(day.year() / 10 * 10),
        TimeStep::Century => year((day.year() - 1) / 100 * 100 + 1),
        TimeStep::Millennium => year((day.year() - 1) / 1000 * 1000 + 1),
        TimeStep::Second | TimeStep::Minute | TimeStep::Hour | TimeStep::Day => Some(day),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use platform::analytics::AnalyticsQueries;
    use records::{CallId, CallKind, Label};

    use super::*;

    fn record(started_at: &str, seconds: Option<i64>) -> CallRecord {
        let started_at: Timestamp = started_at.parse().unwrap();
        CallRecord {
            id: 1,
            call_id: CallId::random(),
            visitor: None,
            sample: false,
            kind: CallKind::WebCall,
            started_at,
            notice: None,
            label: Label::default(),
            ended_at: seconds.map(|seconds| started_at + jiff::SignedDuration::from_secs(seconds)),
            ended_reason: seconds.map(|_| flow::EndReason::CallerEnded),
            note: None,
            abuse_in_other_words: None,
            messages: Vec::new(),
            damaged: false,
            unopened: false,
        }
    }

    fn counted(query: Value, step: Option<TimeStep>, records: &[CallRecord]) -> Value {
        let body = json!({"queries": [query]}).to_string();
        let asked = AnalyticsQueries::parse(body.as_bytes()).unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(8));
        let mut counting = Counting::new(&asked.queries[0], step, zone);
        records.iter().for_each(|record| counting.add(record));
        json!(counting.rows())
    }

    fn all_operations() -> Value {
        json!({"name": "x", "table": "call", "operations": [
            {"operation": "count", "column": "id"},
            {"operation": "sum", "column": "duration"},
            {"operation": "avg", "column": "minutesUsed", "alias": "minutes"},
            {"operation": "min", "column": "duration"},
            {"operation": "max", "column": "duration"},
            {"operation": "sum", "column": "cost"},
        ]})
    }

    #[test]
    fn a_call_under_way_is_counted_and_has_no_duration() {
        let calls = [
            record("2026-11-24T12:00:00Z", Some(60)),
            record("2026-11-24T13:00:00Z", Some(180)),
            record("2026-11-24T14:00:00Z", None),
        ];
        assert_eq!(
            counted(all_operations(), None, &calls),
            json!([{
                "countId": 3, "sumDuration": 240.0, "minutes": 2.0, "minDuration": 60.0,
                "maxDuration": 180.0, "sumCost": 0.0,
            }])
        );
        assert_eq!(
            counted(all_operations(), None, &[]),
            json!([{
                "countId": 0, "sumDuration": 0.0, "minutes": null, "minDuration": null,
                "maxDuration": null, "sumCost": 0.0,
            }])
        );
    }

    #[test]
    fn a_day_is_that_of_the_zone_and_a_group_has_its_values() {
        let query = json!({
            "name": "x", "table": "call", "groupBy": ["status", "endedReason", "assistantId", "type"],
            "operations": [{"operation": "count", "column": "id"}],
        });
        let calls = [
            record("2026-11-24T15:59:59Z", Some(60)),
            record("2026-11-24T16:00:00Z", None),
        ];
        assert_eq!(
            counted(query, Some(TimeStep::Day), &calls),
            json!([
                {"date": "2026-11-23T16:00:00Z", "status": "ended", "endedReason": "customer-ended-call",
                 "assistantId": "helpline", "type": "webCall", "countId": 1},
                {"date": "2026-11-24T16:00:00Z", "status": "in-progress", "endedReason": null,
                 "assistantId": "helpline", "type": "webCall", "countId": 1},
            ])
        );
    }

    #[test]
    fn every_part_of_time_begins_where_calendars_say() {
        let at: Timestamp = "2026-11-25T13:14:15.5Z".parse().unwrap();
        for (step, begun) in [
            (TimeStep::Second, "2026-11-25T13:14:15Z"),
            (TimeStep::Minute, "2026-11-25T13:14:00Z"),
            (TimeStep::Hour, "2026-11-25T13:00:00Z"),
            (TimeStep::Day, "2026-11-25T00:00:00Z"),
            (TimeStep::Week, "2026-11-23T00:00:00Z"),
            (TimeStep::Month, "2026-11-01T00:00:00Z"),
            (TimeStep::Quarter, "2026-10-01T00:00:00Z"),
            (TimeStep::Year, "2026-01-01T00:00:00Z"),
            (TimeStep::Decade, "2020-01-01T00:00:00Z"),
            (TimeStep::Century, "2001-01-01T00:00:00Z"),
            (TimeStep::Millennium, "2001-01-01T00:00:00Z"),
        ] {
            let begins = begins(at, step, &TimeZone::UTC);
            assert_eq!(begins.to_string(), begun, "{step:?}");
        }
    }
}
