import type { Pool } from 'pg';

/** The part of a pino logger the executor uses. */
export interface ExecutorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What `createExecutor` needs; everything after `signingKey` has a default. */
export interface ExecutorOptions {
  databaseUrl: string;
  eventKey: string;
  signingKey: string;
  host?: string;
  /** 0 picks a free port. */
  port?: number;
  /** Waits between attempts in ms; the last one repeats. */
  backoffMs?: number[];
  /** How long a claim lasts without renewal. A crashed executor's work is taken over after at most this long. */
  leaseMs?: number;
  /** How often to look for work nobody announced, and for cron ticks. */
  pollMs?: number;
  maxConcurrentCalls?: number;
  /** How long the app may take to answer one call. */
  callTimeoutMs?: number;
  /** How long `stop` waits for calls in flight. */
  stopTimeoutMs?: number;
  /** How long ended runs, their steps and events are kept. */
  retainMs?: number;
  /**
   * Epoch ms. Drives sleeps, backoff, leases and cron, so tests can shorten them; signatures use the real time.
   * Executors that share a database need clocks that agree to well within a lease.
   */
  clock?: () => number;
  log?: ExecutorLog;
}

export type ExecutorConfig = Required<ExecutorOptions>;

/** What every verb of the executor works with. */
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

/** What a call has to tell the SDK about a run. */
export interface RunState {
  runId: string;
  functionId: string;
  url: string;
  maxAttempts: number;
  protocolVersion: number;
  /** The event that started the run, as canonical JSON. */
  eventText: string;
  /** Memoized steps in the order they were completed. */
  memos: [stepId: string, memo: unknown][];
}

/** The step id of a call that continues the function rather than running one planned step. */
export const CONTINUE = 'step';
