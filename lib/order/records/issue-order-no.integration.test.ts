import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createOrderNoSource,
  decodeOrderNo,
  OrderNoSpanEndedError,
  SEQUENCE_COUNT,
  UNLEASED_WORKER,
} from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { issueOrderNo, leaseOrderNos, releaseOrderNos } from './issue-order-no';
import { LEASE_COUNT, leaseWorker, NoWorkerFreeError, type WorkerLease } from './lease-worker';

beforeEach(() => stockRedis().flushdb());
afterEach(async () => {
  vi.restoreAllMocks();
  await releaseOrderNos();
});
afterAll(closeRedis);

const holders = async () =>
  (await stockRedis().keys('worker:{*}')).filter((key) => /^worker:\{\d+\}$/.test(key));

describe('leaseWorker', () => {
  it('[E8 K5] gives nearly two thousand processes numbers that never meet and refuses the next, until one is given back', async () => {
    expect(LEASE_COUNT).toBe(1_978);
    const leases = await leaseMany(LEASE_COUNT);
    const cells = leases.flatMap(({ workerId, sequences: { first, count } }) =>
      Array.from({ length: count }, (_, i) => `${workerId}:${first + i}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    // No lease includes the number that no process leases.
    expect(cells).toHaveLength(UNLEASED_WORKER * SEQUENCE_COUNT);
    expect(leases.some(({ workerId }) => workerId === UNLEASED_WORKER)).toBe(false);
    await expect(leaseWorker()).rejects.toThrow(NoWorkerFreeError);
    for (const at of [3, 30, 1_500]) {
      await leases[at]?.release(Date.now());
      const { workerId, sequences } = await leaseWorker();
      expect({ workerId, sequences }).toEqual({
        workerId: leases[at]?.workerId,
        sequences: leases[at]?.sequences,
      });
    }
  });

  it('[E8] gives the first ones a whole number each', async () => {
    const leases = await leaseMany(11);
    expect(leases.map(({ sequences }) => sequences.count).sort((a, b) => b - a)).toEqual([
      ...Array(10).fill(128),
      16,
    ]);
  });

  it('[E8] expires with its holder, is renewed by it, and by nobody else', async () => {
    const lease = await leaseWorker({ ttlMs: 600_000 });
    const key = keys.worker(lease.workerId);
    await stockRedis().pexpire(key, 60_000);
    expect(await lease.renew(0)).toBe(true);
    expect(await stockRedis().pttl(key)).toBeGreaterThan(300_000);
    await stockRedis().set(key, 'someone else', 'PX', 600_000);
    expect(await lease.renew(0)).toBe(false);
    await lease.release(Date.now());
    expect(await stockRedis().get(key)).toBe('someone else');
  });

  it('[E8] a successor whose clock is behind starts where a killed holder can have been', async () => {
    const [now, behind] = [Date.now(), Date.now() - 3_600_000];
    const killed = await leaseWorker({ now: () => now });
    const before = createOrderNoSource({ ...killed, now: () => now + 29_000 });
    const last = before.next(5);
    // A killed process: its lease runs out, its mark stays.
    await stockRedis().del(keys.worker(killed.workerId));
    const others = await takeAllBut(killed.workerId);
    const next = await leaseWorker({ now: () => behind });
    expect(next.workerId).toBe(killed.workerId);
    const first = createOrderNoSource({ ...next, now: () => behind }).next(5);
    expect(first > last).toBe(true);
    expect(decodeOrderNo(first).atMs).toBeGreaterThan(killed.endMs());
    expect(others).toBe(UNLEASED_WORKER - 1);
  });

  it('[E8] after a clean release the successor starts right after the last moment used', async () => {
    const first = await leaseWorker();
    const usedMs = Date.now();
    await first.release(usedMs);
    await takeAllBut(first.workerId);
    expect(await leaseWorker()).toMatchObject({ workerId: first.workerId, startAfterMs: usedMs });
  });

  it('[E8] a holder that was stopped too long issues nothing more', async () => {
    let now = Date.now();
    const lease = await leaseWorker({ now: () => now });
    const source = createOrderNoSource({ ...lease, now: () => now });
    source.next(0);
    now += 30_001;
    expect(() => source.next(0)).toThrow(OrderNoSpanEndedError);
  });

  it('[E8] a renewal answered after the release does not open the span again', async () => {
    const lease = await leaseWorker();
    const renewal = lease.renew(0);
    await Promise.all([renewal, lease.release(0)]);
    expect(await renewal).toBe(false);
    expect(lease.endMs()).toBe(0);
  });
});

describe('issueOrderNo', () => {
  it('[E8] gives decimal order numbers with the shard of the user, and leases one number per process', async () => {
    const orderNos = await Promise.all(Array.from({ length: 500 }, (_, i) => issueOrderNo(`user_${i}`)));
    expect(new Set(orderNos).size).toBe(500);
    for (const [i, orderNo] of orderNos.entries()) {
      expect(orderNo).toMatch(/^[1-9]\d{0,18}$/);
      expect(decodeOrderNo(BigInt(orderNo)).shard).toBe(shardOf(`user_${i}`));
    }
    expect(await holders()).toHaveLength(1);
  });

  it('[E8] asks Redis only for the first one', async () => {
    await issueOrderNo('ada');
    const evalsha = vi.spyOn(stockRedis(), 'evalsha');
    for (let i = 0; i < 1_000; i += 1) await issueOrderNo('ada');
    expect(evalsha).not.toHaveBeenCalled();
  });

  it('[E8] takes another worker number when its own was lost, and never repeats', async () => {
    const before = decodeOrderNo(BigInt(await issueOrderNo('ada')));
    await stockRedis().set(keys.worker(before.workerId), 'someone else', 'PX', 600_000);
    // The clock leaves the span, as it does when renewals have failed for 30 s.
    const now = Date.now() + 31_000;
    vi.spyOn(Date, 'now').mockReturnValue(now);
    const after = decodeOrderNo(BigInt(await issueOrderNo('ada')));
    expect(after.workerId).not.toBe(before.workerId);
    expect(after.atMs).toBe(now);
  });

  it('[E8] takes the same worker number again after Redis lost all of them, and repeats nothing', async () => {
    // The clock runs ahead, so that only this process knows which moments were used.
    const all: string[] = [];
    for (let i = 0; i < 10_000; i += 1) all.push(await issueOrderNo('ada'));
    const { workerId } = decodeOrderNo(BigInt(all[0] ?? ''));
    for (let times = 0; times < 10; times += 1) {
      await stockRedis().flushdb();
      await leaseOrderNos();
      for (let i = 0; i < 1_000; i += 1) all.push(await issueOrderNo('ada'));
    }
    expect(new Set(all.map((orderNo) => decodeOrderNo(BigInt(orderNo)).workerId))).toEqual(
      new Set([workerId]),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('[E8] keeps its worker number when only the clock jumped', async () => {
    const before = decodeOrderNo(BigInt(await issueOrderNo('ada')));
    const later = Date.now() + 3_600_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    const all = await Promise.all(Array.from({ length: 300 }, () => issueOrderNo('ada')));
    expect(new Set(all.map((orderNo) => decodeOrderNo(BigInt(orderNo)).workerId))).toEqual(
      new Set([before.workerId]),
    );
    expect(new Set(all).size).toBe(300);
    expect(decodeOrderNo(BigInt(all[0] ?? '')).atMs).toBe(later);
  });

  it('[E8] gives the number back on shutdown', async () => {
    const { workerId } = decodeOrderNo(BigInt(await issueOrderNo('ada')));
    await releaseOrderNos();
    await takeAllBut(workerId);
    expect(await leaseWorker()).toMatchObject({ workerId });
  });
});

/** Leases so many, a hundred at a time. Ends when none is under way: a late one would take what the next test counts. */
async function leaseMany(count: number): Promise<WorkerLease[]> {
  const leases: WorkerLease[] = [];
  while (leases.length < count) {
    const some = Math.min(100, count - leases.length);
    const asked = await Promise.allSettled(
      Array.from({ length: some }, () => leaseWorker({ ttlMs: 600_000 })),
    );
    for (const each of asked) {
      if (each.status === 'rejected') throw each.reason;
      leases.push(each.value);
    }
  }
  return leases;
}

/** Leaves only one worker number free. @returns how many it took. */
async function takeAllBut(workerId: number): Promise<number> {
  const others = Array.from({ length: UNLEASED_WORKER }, (_, i) => i).filter((i) => i !== workerId);
  await Promise.all(others.map((i) => stockRedis().set(keys.worker(i), 'taken', 'PX', 600_000)));
  return others.length;
}
