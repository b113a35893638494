/**
 * `unreachable`: no connection, or it failed. `timeout`: no answer within 2 s. `not_ready`: it answered that it is
 * not ready. `read_only`: it takes no writes.
 */
export const READINESS_PROBLEMS = ['unreachable', 'timeout', 'not_ready', 'read_only'] as const;
export type ReadinessProblem = (typeof READINESS_PROBLEMS)[number];
