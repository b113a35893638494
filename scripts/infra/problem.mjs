/**
 * A problem the person at the keyboard can solve. Its message is the whole output: one sentence about what is wrong
 * and the one thing to do. Any other thrown error is a bug and keeps its stack trace.
 */
export class Problem extends Error {
  name = 'Problem';
}

/** @param {unknown} error @returns {string} one line for a person, whatever was thrown. */
export function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}
