//! The paths of a voice call: asked for, joined by WebRTC or by a socket, read and ended.

mod id;
mod socket;
mod web;
mod whip;
