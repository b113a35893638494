import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type Allowance, putAllowance } from '@/lib/stock/put-allowance';
import { readBuyer } from '@/lib/stock/read-buyer';
import { makeCampaign } from '@/test/support/make-campaign';
import { makeUser } from '@/test/support/make-sale';
import { buyWith, enter } from './testing/shopper';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const SALES = 3;
const PEOPLE = 2;
const LIMIT = 4;

const sale = fc.nat({ max: SALES - 1 });
const person = fc.nat({ max: PEOPLE - 1 });

/** The possible steps. Those of one group happen at the same time. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('enter' as const), sale, person }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      sale,
      person,
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), sale, person }) },
  // Redis loses a sale; its buyers are in Postgres.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), sale, person }) },
  // An old message to Redis, from a process that slept, arrives now.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('late' as const), sale, person }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it('[A8] nobody ever has more than the campaign allows, whatever meets, is lost, or comes late', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 10 }),
      async (groups) => {
        const { campaign, sales } = await makeCampaign(
          LIMIT,
          Array.from({ length: SALES }, () => ({})),
        );
        const ids = sales.map(({ saleId }) => saleId);
        const users = await Promise.all(
          Array.from({ length: PEOPLE }, async () => (await makeUser()).userId),
        );
        const tokens = new Map<string, string>();
        const seen: { saleId: string; allowance: Allowance }[] = [];

        const run = async (one: Step) => {
          const [saleId = '', userId = ''] = [ids[one.sale], users[one.person]];
          switch (one.kind) {
            case 'enter': {
              const entry = await enter(saleId, userId);
              if ('token' in entry) tokens.set(`${saleId} ${userId}`, entry.token);
              const row = await db().campaignAllowance.findFirst({ where: { saleId, userId } });
              if (row) seen.push({ saleId, allowance: { userId, units: row.units, number: row.number } });
              return;
            }
            case 'buy': {
              const token = tokens.get(`${saleId} ${userId}`);
              if (token && (await buyWith(saleId, token, one.quantity)).http === 202)
                tokens.delete(`${saleId} ${userId}`);
              return;
            }
            case 'release': {
              const held = (await readBuyer(saleId, userId)).find(({ state }) => state === 'held');
              if (!held) return;
              // Not paid in time: in Postgres, then in Redis.
              await makeOverdue([held.orderNo]);
              await releaseUnpaid([held.orderNo]);
              return;
            }
            case 'late':
              for (const { saleId, allowance } of seen) await putAllowance(saleId, allowance);
              return;
            case 'lose':
              await stockRedis().del(keys.sale(saleId), keys.allowances(saleId));
              await ensureStockLoaded(saleId);
              return;
          }
        };

        for (const group of groups) {
          await Promise.all(group.map((one) => run(one).catch(() => undefined)));
          for (const userId of users) await check(campaign.campaignId, ids, userId);
          for (const saleId of ids) await drainOutbox(saleId);
        }
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

/** At rest: nobody has more than the limit, and Redis allows nobody more than Postgres says, or less than they have. */
async function check(campaignId: string, ids: readonly string[], userId: string): Promise<void> {
  const rows = await db().campaignAllowance.findMany({ where: { campaignId, userId } });
  expect(rows.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(LIMIT);
  let all = 0;
  for (const saleId of ids) {
    const records = await readBuyer(saleId, userId);
    const live = records.reduce((sum, { state, quantity }) => sum + (state === 'released' ? 0 : quantity), 0);
    const allowed = Number.parseInt((await stockRedis().hget(keys.allowances(saleId), userId)) ?? '0', 10);
    expect(allowed).toBeLessThanOrEqual(rows.find((row) => row.saleId === saleId)?.units ?? 0);
    expect(live).toBeLessThanOrEqual(allowed);
    all += live;
  }
  expect(all).toBeLessThanOrEqual(LIMIT);
}
