import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { guardStock } from '@/lib/loading/guard-stock';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import {
  createSplitSale,
  insist,
  readUnits,
  renewInfo,
  type SplitSale,
  sellTo,
  userIn,
} from './testing/split-sale';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
  process.env.REDIS_URL = cluster.url;
});
afterAll(async () => {
  await releaseOrderNos().catch(() => {});
  await closeRedis();
  await closeDb();
  await cluster.stop();
});

const holderOf = ({ stocks }: SplitSale, slice: number): number =>
  cluster.holderOf(keys.sale(stocks[slice] as string));

describe('a sale over four slices on a cluster of three', () => {
  it('[M10 C1 C3] 150 buyers, each with three tokens, race for 200 units of which one may have two: exactly 200 are sold, and none is stranded', async () => {
    const sale = await createSplitSale({ total: 200, limit: 2, users: 150 });
    expect(new Set([0, 1, 2, 3].map((slice) => holderOf(sale, slice)))).toEqual(new Set([0, 1, 2]));
    const asks = [1, 2, 3].flatMap(() => sale.userIds.map((userId) => ({ userId, jti: newId('jti') })));
    // Every request twice, so that one may overtake the other.
    const answers = await Promise.all(
      [...asks, ...asks].map(async (ask) => ({ ...ask, answer: await insist(sale, ask.userId, ask.jti) })),
    );
    const orders = new Map(
      answers.flatMap(({ userId, answer }) =>
        'orderNo' in answer && (answer.status === 'accepted' || answer.status === 'replayed')
          ? [[answer.orderNo, userId]]
          : [],
      ),
    );
    expect(orders.size).toBe(200);
    const perUser = new Map<string, number>();
    for (const userId of orders.values()) perUser.set(userId, (perUser.get(userId) ?? 0) + 1);
    expect(Math.max(...perUser.values())).toBe(2);
    for (const { answer } of answers) if (answer.status === 'sold_out') expect(answer.available).toBe(0);
    expect(await readUnits(sale)).toMatchObject({ available: [0, 0, 0, 0], sent: [0, 0, 0, 0], parcels: [] });
    expect(await drainOutbox(sale.saleId)).toBe(200);
    const verified = await verifySale(sale.saleId, { settleMs: 500 });
    expect(verified?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('[M10] the last unit is found from every slice', async () => {
    for (const slice of [0, 1, 2, 3]) {
      const sale = await createSplitSale({ total: 1, users: 0 });
      expect(await insist(sale, userIn(sale, slice))).toMatchObject({ status: 'accepted' });
      expect(await insist(sale, userIn(sale, (slice + 1) % 4))).toEqual({ status: 'sold_out', available: 0 });
    }
  });

  it('[M10 J4 C6] a slice that is lost with all its purchases is loaded again while the others sell', async () => {
    const sale = await createSplitSale({ total: 80, limit: 1, users: 60 });
    const [lost, selling] = [
      sale.userIds.filter((id) => sliceOf(id, 4) === 2),
      sale.userIds.filter((id) => sliceOf(id, 4) !== 2),
    ];
    const first = await Promise.all(sale.userIds.slice(0, 30).map((userId) => insist(sale, userId)));
    expect(first.every(({ status }) => status === 'accepted')).toBe(true);
    const stockId = sale.stocks[2] as string;
    await Promise.all([keys.sale, keys.buyers, keys.outbox].map((key) => stockRedis().unlink(key(stockId))));
    const others = selling.filter((id) => !sale.userIds.slice(0, 30).includes(id));
    const [rebuilt, ...beside] = await Promise.all([
      guardStock(),
      ...others.map((userId) => sellTo(sale, userId)),
    ]);
    expect(rebuilt).toEqual([sale.saleId]);
    expect(beside.map(({ status }) => status)).toEqual(others.map(() => 'accepted'));
    const epochs = (await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } })).sliceEpochs;
    expect(epochs).toEqual([2, 3, 6, 5]);
    await renewInfo(sale);
    // This process alone knows the purchases lost with the slice. It brings them back before anybody buys there.
    const again = await Promise.all(lost.map((userId) => insist(sale, userId)));
    const wereIn = new Set(sale.userIds.slice(0, 30));
    expect(again.map(({ status }) => status)).toEqual(
      lost.map((id) => (wereIn.has(id) ? 'already_bought' : 'accepted')),
    );
    expect(await readStock(sale.saleId)).toMatchObject({ total: 80, available: 20, held: 60 });
    expect(await drainOutbox(sale.saleId)).toBe(60);
    const verified = await verifySale(sale.saleId, { settleMs: 500 });
    expect(verified?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('[M10 K1] while a server is silent the slices of others sell, and nobody hears "sold out"', async () => {
    const sale = await createSplitSale({ total: 12, users: 0 });
    const away = holderOf(sale, 1);
    const near = [0, 1, 2, 3].filter((slice) => holderOf(sale, slice) !== away);
    await readStock(sale.saleId);
    // Its replica too, or that would be promoted.
    for (const node of [away, away + 3]) cluster.freeze(node);
    try {
      const answers: string[] = [];
      const units = near.length * 3;
      for (let n = 0; n < units + 1; n += 1)
        answers.push((await sellTo(sale, userIn(sale, near[0] as number))).status);
      expect(answers).toEqual([...Array(units).fill('accepted'), 'busy']);
    } finally {
      for (const node of [away, away + 3]) cluster.thaw(node);
    }
    expect(await insist(sale, userIn(sale, near[0] as number))).toMatchObject({ status: 'accepted' });
  });
});
