/** `unreachable`: no connection, or one that failed. `timeout`: no answer within 2 s. `not_ready`: it answers that it isn't. */
export const READINESS_PROBLEMS = ['unreachable', 'timeout', 'not_ready'] as const;
export type ReadinessProblem = (typeof READINESS_PROBLEMS)[number];
