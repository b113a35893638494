import type { Pool } from 'pg';

/** The part of a pino logger the executor uses. */
export interface ExecutorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The options of `createExecutor`. Everything after `signingKey` has a default. */
export interface ExecutorOptions {
  databaseUrl: string;
  /** The same database without a pooler, for `LISTEN`; by default `databaseUrl`. */
  directUrl?: string;
  eventKey: string;
  signingKey: string;
  host?: string;
  /** 0 picks a free port. */
  port?: number;
  /** Waits between attempts in ms; the last one repeats. */
  backoffMs?: number[];
  /**
   * How long a claim lasts without renewal. Another executor takes over a crashed executor's work after at most this
   * long.
   */
  leaseMs?: number;
  /** How often to look for work that no executor announced, and for cron ticks. */
  pollMs?: number;
  maxConcurrentCalls?: number;
  /** How long the app may take to answer one call. */
  callTimeoutMs?: number;
  /** How soon after a call the reset of a kept connection shows that the app had closed it before. */
  staleMs?: number;
  /** How long `stop` waits for calls in flight. */
  stopTimeoutMs?: number;
  /** How long the executor keeps ended runs, their steps and events. */
  retainMs?: number;
  /**
   * Returns epoch ms. Drives sleeps, backoff, leases and cron, so tests can shorten them; signatures use the real
   * time. The clocks of executors that share a database must agree to well within a lease.
   */
  clock?: () => number;
  log?: ExecutorLog;
}

export type ExecutorConfig = Required<ExecutorOptions>;

/** The means that every function of the executor works with. */
export interface Executor {
  config: ExecutorConfig;
  pool: Pool;
  /** Names this process in leases. */
  owner: string;
}

/** A claimed piece of work: one call of a function, or the end of one sleep. */
export interface WorkItem {
  id: string;
  claim: number;
  runId: string;
  /** `step` continues the function; a hash runs (or wakes) that planned step. */
  stepId: string;
  kind: 'CALL' | 'SLEEP';
  attempt: number;
}

/** Facts about a run that a call passes on to the SDK. */
export interface RunState {
  runId: string;
  functionId: string;
  url: string;
  maxAttempts: number;
  protocolVersion: number;
  /** The event that started the run, as canonical JSON. */
  eventText: string;
  /** Memoized steps, in the order in which they were completed. */
  memos: [stepId: string, memo: unknown][];
}

/** The step id of a call that continues the function and does not run one planned step. */
export const CONTINUE = 'step';
