//! Words to signals and facts.
