/** Fewest and most made-up shoppers of one rehearsal. */
export const MIN_SHOPPERS = 10;
export const MAX_SHOPPERS = 20_000;

export type RehearsalState = 'queued' | 'running' | 'done' | 'failed';

/** What was looked at afterwards; each is a reason against the sale as it is set up if it does not hold. */
export const REHEARSAL_CHECKS = [
  'tiers',
  'messages',
  'limit_per_user',
  'one_answer',
  'not_before_start',
  'after_payment',
  'honest_refused',
  'latency',
] as const;
export type RehearsalCheck = {
  id: (typeof REHEARSAL_CHECKS)[number];
  ok: boolean;
  /** The numbers it was judged by. */
  figures: Record<string, number>;
};

export type RehearsalReport = {
  isGo: boolean;
  shoppers: number;
  presses: number;
  /** The busiest second: presses answered. */
  perSecond: number;
  /** From the moment of the press as it was planned; ms. */
  latencyMs: { p50: number; p95: number; p99: number; max: number };
  /** How presses were answered: accepted, replayed, sold_out, rate_limited, … */
  answers: Record<string, number>;
  /** Presses refused by each of the sale's limits. */
  limited: { user: number; ip: number; interface: number };
  units: { total: number; sold: number; released: number };
  /** Ms after the start at which the last unit went; null: some were left. */
  soldOutAfterMs: number | null;
  checks: RehearsalCheck[];
};

export type RehearsalView = {
  rehearsalId: string;
  state: RehearsalState;
  shoppers: number;
  progress: number;
  report: RehearsalReport | null;
  createdAt: number;
  endedAt: number | null;
};
