//! The duty desk's paths, `/api/desk/…`: signing in, accounts, the audit trail, the calls that are live,
//! and the cases of those that have ended. Each asks for an
//! account whose role may do what the path does; the table is `desk::permissions`. Without an account there is no desk, and
//! nothing at these paths.

mod access_request;
mod accounts;
mod audit;
mod call_actions;
mod call_events;
mod cases;
mod cookie;
mod events;
mod hints;
mod holds;
mod in_call;
mod invitations;
mod live_calls;
mod nodes;
mod officer_line;
mod on_duty;
mod on_hold;
mod provider;
mod receipts;
mod relays;
mod report;
mod shifts;
mod sign_in;
mod signed;
mod wire;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub use cases::{CaseRefusal, QueueViews};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sign_in::me))
        .routes(routes!(sign_in::sign_in))
        .routes(routes!(sign_in::sign_out))
        .routes(routes!(provider::ways_in, provider::to_provider))
        .routes(routes!(provider::from_provider))
        .routes(routes!(invitations::show))
        .routes(routes!(invitations::accept))
        .routes(routes!(accounts::list, accounts::invite))
        .routes(routes!(accounts::change, accounts::close))
        .routes(routes!(accounts::invite_again))
        .routes(routes!(audit::entries))
        .routes(routes!(events::events))
        .routes(routes!(nodes::list))
        .merge(cases::routes())
        .routes(routes!(report::report))
        .routes(routes!(report::report_table))
        .routes(routes!(shifts::list, shifts::plan))
        .routes(routes!(shifts::remove))
        .routes(routes!(holds::hold, holds::end_hold))
        .routes(routes!(receipts::receipts))
        .routes(routes!(access_request::access_request))
        .routes(routes!(live_calls::list))
        .routes(routes!(live_calls::inside))
        .routes(routes!(call_events::events))
        .routes(routes!(on_duty::duty, on_duty::set_duty))
        .routes(routes!(relays::relays))
        .routes(routes!(call_actions::accept))
        .routes(routes!(call_actions::decline))
        .routes(routes!(call_actions::line))
        .routes(routes!(call_actions::listen))
        .routes(routes!(call_actions::coach))
        .routes(routes!(call_actions::ready))
        .routes(routes!(call_actions::leave))
        .routes(routes!(call_actions::take_over))
        .routes(routes!(on_hold::put_on_hold))
        .routes(routes!(on_hold::take_back))
        .routes(routes!(hints::list))
        .routes(routes!(hints::hint))
}
