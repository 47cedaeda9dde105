mod id;
mod socket;
mod web;
mod whip;
