/**
 * The alerts of what is shown but not built, in the specification's words (section 8); the only
 * exclamation mark and the uneven capitals are its own.
 */
export const notBuiltYet = {
  mute: () => window.alert("To add feature"),
  login: () => window.alert("to add feature"),
  document: () => window.alert("To be added!"),
} as const;
