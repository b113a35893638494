import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { createOrderNoSource, decodeOrderNo } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { buy, createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { areLeasesLost } from './are-leases-lost';
import { beWaryOfLostLeases, issueOrderNo, leaseOrderNos, releaseOrderNos } from './issue-order-no';
import { leaseWorker, NoWorkerFreeError, type WorkerLease } from './lease-worker';

let sale: SaleFixture;
beforeEach(async () => {
  await stockRedis().flushdb();
  await db().$executeRaw`TRUNCATE orders CASCADE`;
  sale = await createSaleFixture();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await releaseOrderNos();
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Writes an order whose number another process issued. */
async function sellBy(lease: WorkerLease): Promise<void> {
  const userId = sale.userIds[0] ?? '';
  const orderNo = String(createOrderNoSource(lease).next(shardOf(userId)));
  await createOrders({ saleId: sale.saleId, orders: [{ ...(await buy(sale, userId)), orderNo }] });
}

describe('areLeasesLost', () => {
  it('[E8] no: a new shop has nothing to lose', async () => {
    expect(await areLeasesLost()).toBe(false);
  });

  it('[E8] no: Redis remembers every number that became an order, also of processes that ended', async () => {
    const lease = await leaseWorker();
    await sellBy(lease);
    await lease.release(Date.now());
    expect(await areLeasesLost()).toBe(false);
  });

  it('[E8] yes: Redis is empty, or knows other processes alone', async () => {
    // The other process must have another number.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    await sellBy(await leaseWorker());
    await stockRedis().flushdb();
    expect(await areLeasesLost()).toBe(true);
    random.mockReturnValue(0.5);
    await leaseWorker();
    expect(await areLeasesLost()).toBe(true);
  });

  it('[E8] yes: Redis has an older copy', async () => {
    const lease = await leaseWorker();
    const key = keys.workerMark(lease.workerId);
    const before = String(Number(await stockRedis().get(key)) - 60_000);
    await sellBy(lease);
    await stockRedis().set(key, before);
    expect(await areLeasesLost()).toBe(true);
  });

  it('[E8] yes, for a while: a process noticed it that has sold nothing yet', async () => {
    await leaseOrderNos();
    await stockRedis().flushdb();
    await leaseOrderNos();
    expect(await areLeasesLost()).toBe(true);
    expect(await stockRedis().pttl(keys.workersLost())).toBeGreaterThan(0);
  });

  it('[E8 J4] without Postgres: whether Redis remembers anything', async () => {
    const away = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    vi.spyOn(db(), '$queryRaw').mockRejectedValue(away);
    expect(await areLeasesLost()).toBe(true);
    await leaseWorker();
    expect(await areLeasesLost()).toBe(false);
  });
});

it('[E8] a process that starts after Redis lost everything issues no number until the others have noticed', async () => {
  // All look at the same number first.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const other = await leaseWorker();
  await sellBy(other);
  await stockRedis().flushdb();

  const started = performance.now();
  beWaryOfLostLeases();
  await expect(issueOrderNo('ada')).rejects.toThrow(NoWorkerFreeError);
  await leaseWorker({ before: other });
  await expect(issueOrderNo('ada')).rejects.toThrow(NoWorkerFreeError);

  // As long as anybody may issue by a lost lease.
  vi.spyOn(performance, 'now').mockReturnValue(started + 60_000);
  expect(decodeOrderNo(BigInt(await issueOrderNo('ada'))).workerId).not.toBe(other.workerId);
});
