import { backoffMs, RETRY } from '@/components/api/backoff';
import type { SalePhase } from '@/lib/contract/words/sale';

export interface PollInput {
  /** Null until the first answer. */
  status: SalePhase | null;
  hasGate: boolean;
  /** Time left until the start by the server's clock, ms; negative afterwards. */
  toStartMs: number;
  /** How many requests in a row failed. */
  failures: number;
  retryAfterMs: number | null;
  /** True if a stream brings the changes. */
  isStreaming: boolean;
  /** True if the shopper already has all they can get, so that the sale's state only decorates the page. */
  isDone: boolean;
  /** 0 ≤ r < 1 */
  random: number;
}

const FAR_MS = 30_000;
const LAST_MINUTE_MS = 5000;
const OPENING_MS = 300;
const OPENING_SPREAD_MS = 200;
const START_SPREAD_MS = 150;
/** How long a stream may take to bring the gate; then the page polls all the same. */
const STREAM_LATE_MS = 1000;
const STREAM_LATE_SPREAD_MS = 1000;
const LIVE_MS = 2000;
const QUIET_MS = 10_000;

/**
 * Returns the time until the next request for the sale's state, ms. Far from the start: 10 s, since the merchant may
 * move or pause the sale. Around the start: exactly then, spread over 150 ms, and quickly until the gate is there. In a
 * running sale: 2 s. While a stream works: rarely, unless it hasn't brought the gate.
 */
export function pollDelayMs(input: PollInput): number {
  const { status, hasGate, toStartMs, failures, retryAfterMs, isStreaming, isDone, random } = input;
  if (failures > 0) return backoffMs(RETRY, failures, retryAfterMs, random);
  if (status === 'ended') return FAR_MS;
  const isWaiting = status === null || status === 'scheduled' || (status === 'live' && !hasGate);
  if (isStreaming && !(isWaiting && toStartMs <= 0)) {
    const rarely = FAR_MS * (0.75 + 0.25 * random);
    const late = toStartMs + STREAM_LATE_MS + STREAM_LATE_SPREAD_MS * random;
    return isWaiting ? Math.min(rarely, late) : rarely;
  }
  if (isDone && !isWaiting) return QUIET_MS * (0.75 + 0.25 * random);
  if (status === 'paused' || status === 'sold_out') return QUIET_MS / 2 + (QUIET_MS / 2) * random;
  if (status === 'live' && hasGate) return LIVE_MS * (0.75 + 0.5 * random);
  if (toStartMs <= 0) return OPENING_MS + OPENING_SPREAD_MS * random;
  const regular = (toStartMs <= 60_000 ? LAST_MINUTE_MS : QUIET_MS) * (0.75 + 0.25 * random);
  return Math.min(regular, toStartMs + START_SPREAD_MS * random);
}
