type Target = { saleId: string; gate: string };

/**
 * The kind of requests: purchases, each by its own user with its own token; one request, or a list of them, again
 * and again or each once; made-up addresses.
 */
export type Source =
  | { kind: 'purchases'; targets: readonly Target[]; fromUser: number; count: number; isCyclic: boolean }
  | { kind: 'repeat'; request: string }
  | { kind: 'given'; requests: readonly string[]; isCyclic?: boolean }
  | { kind: 'strangers'; count: number };

export type Job = { port: number; connections: number; source: Source } & (
  | { loop: 'closed'; seconds: number }
  | { loop: 'open'; startAtMs: number; windowMs: number; count: number }
);

export type LoadResult = {
  /** Replies by status; 0 = the connection broke before the reply. */
  answers: Record<number, number>;
  sent: number;
  /** Requests sent but not answered when the time was over. */
  unanswered: number;
  elapsedMs: number;
  latencyMs: { p50: number; p99: number; max: number };
  /** Busy share of the generator's own thread, 0 … 1. Near 1 the generator was the limit, not the server. */
  busy: number;
};

/** The questions to the process of the watchers. */
export type WatchQuestion =
  | { ask: 'open'; port: number; saleId: string; count: number }
  | { ask: 'learnt'; status: string }
  | { ask: 'close' };

/** How many streams are open, and when each of those asked for learnt it, in epoch ms. */
export type WatchAnswer = { open: number; learntAtMs: number[] };
