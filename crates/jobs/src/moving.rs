//! The queue's tables, for backups: jobs go along, also those that were done, which are not put again. What a node was doing
//! waits again, and may be done twice, as when that node dies.

use records::ColumnType::{Bytes, Integer, Jsonb, Second, Text};
use records::{Database, Laying, Lodger, Table};

use crate::jobs::Jobs;

pub const LODGER: Lodger = Lodger {
    tables: &[Table {
        in_postgres: "apalis.jobs",
        read_as: &[
            (
                "status",
                "CASE WHEN status IN ('Queued', 'Running') THEN 'Pending' ELSE status END",
            ),
            // PostgreSQL's may be none.
            ("priority", "coalesce(priority, 0)"),
        ],
        left_out: &[
            ("lock_at", "of a node that runs"),
            ("lock_by", "of a node that runs"),
            ("metadata", "this program's jobs have none"),
        ],
        ..Table::of(
            "Jobs",
            &[
                ("job", Bytes),
                ("id", Text),
                ("job_type", Text),
                ("status", Text),
                ("attempts", Integer),
                ("max_attempts", Integer),
                ("run_at", Second),
                ("last_result", Jsonb),
                ("done_at", Second),
                ("priority", Integer),
                ("idempotency_key", Text),
            ],
            "id",
        )
    }],
    left_out: &[
        ("Workers", "which nodes run"),
        ("apalis.workers", "which nodes run"),
        ("jobs_migrations", "how this database came by its tables"),
        (
            "apalis._sqlx_migrations",
            "how this database came by its tables",
        ),
    ],
    lay,
};

fn lay(database: &Database) -> Laying<'_> {
    Box::pin(async move {
        Jobs::open(database).await?;
        Ok(())
    })
}
