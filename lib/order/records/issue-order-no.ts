import { processWide } from '@/lib/process-wide';
import 'server-only';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { createOrderNoSource, type OrderNoSource } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { stockRedis } from '@/lib/redis/client';
import { isCluster } from '@/lib/redis/connection';
import { areLeasesLost, noteLostLeases } from './are-leases-lost';
import { LEASE_TTL_MS, leaseWorker, NoWorkerFreeError, type WorkerLease } from './lease-worker';

const RENEW_EVERY_MS = 10_000;
/** A lease that ends so soon is replaced if its server is away: the next renewal may come too late. */
const REPLACE_BEFORE_MS = 15_000;

type Issuer = { lease: WorkerLease; source: OrderNoSource; timer: NodeJS.Timeout };
type State = {
  issuer?: Issuer;
  /** The last lease that was lost, and the last moment used by then. */
  lost?: Pick<WorkerLease, 'workerId' | 'sequences'> & { lastMs: number };
  starting?: Promise<Issuer>;
  refusal?: { error: NoWorkerFreeError; until: number };
  /** The first lease waits if Redis has lost those of others. */
  isWary?: boolean;
};

// One process must not use up several worker numbers.
const state = processWide('order-nos', (): State => ({}));

/**
 * Returns a new order number for a user, as a decimal string. The first call of a process leases a worker number in
 * Redis. After that the number comes at once, without a promise, as long as the background renews the lease.
 *
 * @throws NoWorkerFreeError, or connection errors when no worker number could be leased or kept; the promise rejects.
 */
export function issueOrderNo(userId: string): string | Promise<string> {
  const shard = shardOf(userId);
  const { issuer } = state;
  if (!issuer) return start().then(() => issueOrderNo(userId));
  try {
    return issuer.source.next(shard).toString();
  } catch (error) {
    // By name: the other copy of this module in the process may have made the source.
    if (!(error instanceof Error && error.name === 'OrderNoSpanEndedError')) throw error;
    // The lease was lost, or the clock jumped past its span: renew or replace it, then go on.
    return recover().then(({ source }) => source.next(shard).toString());
  }
}

/** Has this process's first lease wait for 30 s if Redis has lost the leases of others. For its start. */
export function beWaryOfLostLeases(): void {
  state.isWary = true;
}

/** Leases a worker number before the first order number is needed. @throws NoWorkerFreeError, connection errors. */
export async function leaseOrderNos(): Promise<void> {
  await recover();
}

/** Tells whether this process can issue an order number at this moment. */
export function hasOrderNos(): boolean {
  const { issuer } = state;
  return issuer !== undefined && issuer.lease.endMs() > nowMs();
}

/** Gives the worker number back. For shutdown, before `closeRedis`. The next `issueOrderNo` would lease one again. */
export async function releaseOrderNos(): Promise<void> {
  const issuer = state.issuer ?? (await state.starting?.catch(() => undefined));
  if (!issuer) return;
  drop(issuer);
  await issuer.lease.release(issuer.source.lastMs());
}

function start(): Promise<Issuer> {
  const { refusal } = state;
  if (refusal && performance.now() < refusal.until) return Promise.reject(refusal.error);
  state.starting ??= lease()
    .catch((error: unknown) => {
      if (error instanceof NoWorkerFreeError)
        state.refusal = { error, until: performance.now() + error.restMs };
      throw error;
    })
    .finally(() => {
      state.starting = undefined;
    });
  return state.starting;
}

async function lease(): Promise<Issuer> {
  const { lost } = state;
  if (state.isWary && (await areLeasesLost())) {
    state.isWary = false;
    throw new NoWorkerFreeError('Redis has lost leases that may be in use', LEASE_TTL_MS);
  }
  const held = await leaseWorker({ before: lost });
  state.isWary = false;
  const { workerId, sequences, startAfterMs, endMs } = held;
  const issuer: Issuer = {
    lease: held,
    source: createOrderNoSource({
      workerId,
      sequences,
      startAfterMs: Math.max(startAfterMs, lost?.lastMs ?? 0),
      endMs,
    }),
    // The next tick, or the next order number that needs it, tries a failed renewal again.
    timer: setInterval(() => void renew(issuer).catch(() => {}), RENEW_EVERY_MS).unref(),
  };
  state.issuer = issuer;
  // Redis would know a mark as late as the last moment used.
  if (lost?.workerId === workerId && startAfterMs < lost.lastMs) await noteLostLeases();
  return issuer;
}

/**
 * Renews the lease once, or takes a new one if it was lost. On a cluster its server may be away for long while others are
 * not: then it takes one that lies elsewhere, and keeps the old one if there is none.
 */
async function renew(issuer: Issuer): Promise<Issuer> {
  const isKept = await issuer.lease.renew(issuer.source.lastMs()).catch(async (error: unknown) => {
    const endsSoon = issuer.lease.endMs() - nowMs() < REPLACE_BEFORE_MS;
    if (!isOutage(error) || !isCluster(stockRedis()) || !endsSoon) throw error;
    if (state.issuer === issuer) await start();
    return false;
  });
  if (isKept) return issuer;
  const { workerId, sequences } = issuer.lease;
  state.lost = { workerId, sequences, lastMs: issuer.source.lastMs() };
  drop(issuer);
  return state.issuer ?? start();
}

function recover(): Promise<Issuer> {
  const { issuer } = state;
  return issuer ? renew(issuer) : start();
}

function drop(issuer: Issuer): void {
  clearInterval(issuer.timer);
  if (state.issuer === issuer) state.issuer = undefined;
}
