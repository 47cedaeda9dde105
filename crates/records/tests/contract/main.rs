//! The contract of [`records::CallStore`], a behaviour a test, on every database. A new
//! database joins with one line at the end. What it keeps encrypted, it keeps as well.
#![allow(clippy::unwrap_used)]

mod changes;
mod deleting;
mod from_start_to_end;
mod left_behind;
mod lists;
mod programs;
#[path = "../story/mod.rs"]
mod story;
mod visitors;

use changes::*;
use deleting::*;
use from_start_to_end::*;
use left_behind::*;
use lists::*;
use programs::*;
use visitors::*;

macro_rules! keeps_the_contract {
    ($database:ident, $open:expr) => {
        mod $database {
            keeps_the_contract! { @each $open,
                a_new_store_lists_the_ten_samples_urgent_ones_first
                calls_under_way_stand_first_then_urgent_ones_each_newest_first
                a_page_goes_on_from_its_place_whatever_became_of_its_records
                a_list_holds_no_transcripts
                a_call_is_numbered_with_the_highest_existing_number_plus_one
                starting_a_call_again_gives_the_record_as_it_stands
                turns_are_kept_in_order_and_a_repeated_one_replaces_itself
                a_finished_call_holds_its_note_and_its_final_transcript
                a_record_holds_which_officer_said_what
                the_first_end_stands_and_late_turns_are_dropped
                a_record_holds_which_notice_its_caller_was_shown
                a_call_that_was_never_started_is_refused
                an_unfinished_call_can_be_gone_on_with
                calls_are_left_behind_by_a_node_that_does_not_answer_for_them
                a_node_is_found_by_its_name_while_it_answers_for_its_calls
                a_program_finds_calls_by_kind_and_time_and_never_a_sample
                a_call_keeps_what_its_program_says_of_it
                a_call_left_behind_tells_whether_its_visitor_has_left
                a_call_that_is_taken_goes_on_where_it_was
                a_call_that_is_given_back_is_anybodys
                a_presumed_end_gives_way_to_its_nodes_own_and_to_nothing_else
                a_deleted_call_is_gone
                a_purge_takes_what_ended_before_and_nothing_else
                many_calls_at_once_are_all_kept_under_numbers_of_their_own
                whoever_listens_is_told_once_of_a_calls_beginning_of_each_turn_and_of_its_end
                a_presumed_end_is_told_and_the_nodes_own_after_it
            }

            #[test]
            fn one_visitor_never_gets_anothers_call() {
                super::one_visitor_never_gets_anothers_call($open);
            }
        }
    };
    (@each $open:expr, $($behaviour:ident)*) => {
        $(
            #[tokio::test]
            async fn $behaviour() {
                // The guard keeps the place of the store until the behaviour has run.
                let (_guard, records) = ($open)().await;
                super::$behaviour(records).await;
            }
        )*
    };
}

keeps_the_contract!(sqlite_file, crate::story::sqlite_file);
keeps_the_contract!(sqlite_memory, crate::story::sqlite_memory);
keeps_the_contract!(postgres, crate::story::postgres);
keeps_the_contract!(sqlite_file_encrypted, crate::story::sqlite_file_encrypted);
keeps_the_contract!(postgres_encrypted, crate::story::postgres_encrypted);
