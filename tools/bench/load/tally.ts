import { performance } from 'node:perf_hooks';
import { percentile } from '@/tools/harness/stats';
import type { LoadResult } from './types';

/** Makes a counter for one run; its time starts now. */
export function createTally() {
  const answers: Record<number, number> = {};
  const latencies: number[] = [];
  let sent = 0;
  let lastAt = 0;
  const from = performance.now();
  const load = performance.eventLoopUtilization();
  return {
    sent() {
      sent += 1;
    },
    answered(status: number, latencyMs: number) {
      answers[status] = (answers[status] ?? 0) + 1;
      latencies.push(latencyMs);
      lastAt = performance.now();
    },
    /** Time runs until the last answer, not until the call of `result`. */
    result(): LoadResult {
      const of = (percent: number) => (latencies.length > 0 ? percentile(latencies, percent) : Number.NaN);
      return {
        answers,
        sent,
        unanswered: sent - latencies.length,
        elapsedMs: Math.max(1, lastAt - from),
        latencyMs: { p50: of(50), p99: of(99), max: of(100) },
        busy: performance.eventLoopUtilization(load).utilization,
      };
    },
  };
}
