//! What this process has used so far, as Linux counts it. Processor time, because others share the machine.

/// Ticks of `/proc` are hundredths of a second on every Linux that this runs on.
const TICKS_A_SECOND: f64 = 100.0;

/// Of all threads, in the program and in the kernel.
pub fn processor_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The program's name may hold anything, and ends at the last parenthesis.
    let fields: Vec<&str> = told[told.rfind(')').unwrap() + 2..].split(' ').collect();
    let ticks = |field: usize| fields[field].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / TICKS_A_SECOND
}

/// The most that was resident at once.
pub fn most_memory_mb() -> u64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = told.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1024
}
