import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SIDE_FEATURES } from '@/lib/contract/words/side-feature';
import { readPool } from '@/lib/db/client';
import { readStaleReads } from '@/lib/db/read-stale';
import { processNeeds } from '@/lib/health/process-needs';
import { readLockMetrics } from '@/lib/lock/lock-metrics';
import { readReplicaAcks } from '@/lib/redis/replicas-ack';
import { busiest } from '@/lib/switchboard/heard-loads';
import { isOn, isWatching } from '@/lib/switchboard/is-on';
import { readDelays } from './delay-meter';
import { countOf } from './histogram';
import { readRequests, totalRequests } from './http-meter';
import { durationSamples, histogramSamples, type Sample } from './sample';
import { readSignIns, SIGN_IN_OUTCOMES } from './sign-in-meter';
import { readFailedSearches, sliceSamples } from './slice-meter';

/** Counts of a process since its start. Alerts look at the difference of two readings. */
export type Totals = {
  requests: number;
  failed: number;
  written: number;
  delayMs: number;
  /** Purchases that too few replicas of Redis had in time. */
  unconfirmed: number;
  /** By split sale: searches for units of other slices that have to be repeated. */
  failedSearches: Record<string, number>;
  /** Wrong passwords, and accounts that came under attack. */
  signIns: { wrong: number; attacked: number };
  /** By kind of lock. `heldLong`: just now. */
  locks: Record<string, { tries: number; waitMs: number; longHolds: number; heldLong: number }>;
};

const QUANTILES = [0.5, 0.99, 1] as const;
const RESOLUTION_MS = 20;

// A histogram of the runtime that costs a timer, so it starts only when figures are first read.
let loopDelay: ReturnType<typeof monitorEventLoopDelay> | undefined;

/** Returns this process's counters now. */
export function readTotals(): Totals {
  const delays = readDelays();
  const locks = Object.entries(readLockMetrics()).map(([kind, { waitMs, longHolds, heldLong }]) => [
    kind,
    { tries: waitMs.count, waitMs: waitMs.sumMs, longHolds, heldLong },
  ]);
  return {
    ...totalRequests(),
    written: countOf(delays),
    delayMs: delays.sumMs,
    unconfirmed: readReplicaAcks().missing,
    failedSearches: readFailedSearches(),
    signIns: { wrong: readSignIns().wrong, attacked: readSignIns().attacked },
    locks: Object.fromEntries(locks),
  };
}

/**
 * Returns this process's counters, memory, processor time and event-loop delay as samples without a `process` label.
 * The delay is that since the last call.
 */
export function processSamples(): Sample[] {
  const { user, system } = process.cpuUsage();
  const startedAtMs = performance.timeOrigin;
  return [
    ...requestSamples(),
    { name: 'seckill_orders_written_total', labels: {}, value: countOf(readDelays()) },
    ...durationSamples('seckill_processing_delay_seconds', {}, readDelays()),
    ...signInSamples(),
    ...lockSamples(),
    ...storeUseSamples(),
    ...loopDelaySamples(),
    ...switchSamples(),
    ...sliceSamples(),
    ...processNeeds().map(
      ({ name, isMet }): Sample => ({
        name: 'seckill_process_ready',
        labels: { need: name },
        value: isMet ? 1 : 0,
      }),
    ),
    { name: 'seckill_process_resident_bytes', labels: {}, value: process.memoryUsage.rss() },
    { name: 'seckill_process_cpu_seconds_total', labels: {}, value: (user + system) / 1e6 },
    { name: 'seckill_process_start_seconds', labels: {}, value: Math.round(startedAtMs / 1_000) },
  ];
}

function requestSamples(): Sample[] {
  return [...readRequests()].flatMap(([route, { statuses, durations }]) => [
    ...[...statuses].map(
      ([status, value]): Sample => ({
        name: 'seckill_http_requests_total',
        labels: { route, status: String(status) },
        value,
      }),
    ),
    // A process that never answers a class of route need not report that in sixteen lines.
    ...(countOf(durations) > 0 ? durationSamples('seckill_http_duration_seconds', { route }, durations) : []),
  ]);
}

function signInSamples(): Sample[] {
  const counts = readSignIns();
  // Most processes handle no sign-in and report nothing. A process that reports one outcome reports all, because an
  // increase shows only if the series starts at 0.
  if (SIGN_IN_OUTCOMES.every((outcome) => counts[outcome] === 0)) return [];
  const samples = SIGN_IN_OUTCOMES.map(
    (outcome): Sample => ({ name: 'seckill_sign_ins_total', labels: { outcome }, value: counts[outcome] }),
  );
  return [...samples, { name: 'seckill_accounts_attacked_total', labels: {}, value: counts.attacked }];
}

function lockSamples(): Sample[] {
  return Object.entries(readLockMetrics()).flatMap(([kind, lock]): Sample[] => [
    { name: 'seckill_lock_tries_total', labels: { kind, outcome: 'acquired' }, value: lock.acquired },
    { name: 'seckill_lock_tries_total', labels: { kind, outcome: 'given_up' }, value: lock.notAcquired },
    { name: 'seckill_lock_contended_total', labels: { kind }, value: lock.contended },
    { name: 'seckill_lock_lost_total', labels: { kind }, value: lock.lost },
    { name: 'seckill_lock_long_holds_total', labels: { kind }, value: lock.longHolds },
    ...histogramSamples('seckill_lock_wait_seconds', { kind }, lock.waitMs),
    ...histogramSamples('seckill_lock_hold_seconds', { kind }, lock.holdMs),
  ]);
}

/** A process that doesn't follow the switchboard reports nothing. */
function switchSamples(): Sample[] {
  if (!isWatching()) return [];
  const busy = busiest();
  return [
    ...SIDE_FEATURES.map(
      (feature): Sample => ({
        name: 'seckill_side_feature_on',
        labels: { feature },
        value: isOn(feature) ? 1 : 0,
      }),
    ),
    ...(busy === null ? [] : [{ name: 'seckill_busy_ratio' as const, labels: {}, value: busy }]),
  ];
}

function storeUseSamples(): Sample[] {
  const acks = readReplicaAcks();
  const reads = readStaleReads();
  return [
    ...Object.entries(readPool()).map(
      ([state, value]): Sample => ({ name: 'seckill_database_connections', labels: { state }, value }),
    ),
    ...Object.entries(reads ?? {}).map(
      ([from, value]): Sample => ({ name: 'seckill_stale_reads_total', labels: { from }, value }),
    ),
    ...(acks.confirmed + acks.missing > 0
      ? Object.entries(acks).map(
          ([outcome, value]): Sample => ({ name: 'seckill_replica_acks_total', labels: { outcome }, value }),
        )
      : []),
  ];
}

function loopDelaySamples(): Sample[] {
  if (!loopDelay) {
    loopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    loopDelay.enable();
    return [];
  }
  const samples = QUANTILES.map((quantile): Sample => {
    const ns = quantile === 1 ? loopDelay?.max : loopDelay?.percentile(quantile * 100);
    // The measurement includes its own timer.
    const value = Math.max(0, (ns ?? 0) / 1e9 - RESOLUTION_MS / 1_000);
    return { name: 'seckill_event_loop_delay_seconds', labels: { quantile: String(quantile) }, value };
  });
  loopDelay.reset();
  return samples;
}
