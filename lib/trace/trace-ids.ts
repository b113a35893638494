import { createHash } from 'node:crypto';

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/**
 * Derives a purchase's trace and first span from its entry token's id. Every stage knows that id already (claims,
 * outbox entry, event, order row), so no stage has to pass anything on for the trace.
 */
export function traceIdsOf(jti: string): { traceId: string; rootSpanId: string } {
  const digest = createHash('sha256').update(`trace:${jti}`).digest();
  return {
    traceId: digest.subarray(0, TRACE_BYTES).toString('hex'),
    rootSpanId: digest.subarray(TRACE_BYTES, TRACE_BYTES + SPAN_BYTES).toString('hex'),
  };
}

/** Says whether a trace belongs to the `share` (0 … 1) that is kept; every process gives the same answer. */
export const isSampled = (traceId: string, share: number): boolean =>
  Number.parseInt(traceId.slice(0, 8), 16) < share * 2 ** 32;
