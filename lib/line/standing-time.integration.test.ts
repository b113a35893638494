import { afterAll, describe, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { closeDb, db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { purchase } from '@/lib/purchase/purchase';
import type { SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { configureStock } from '@/lib/stock/configure-stock';
import { createLineSale, passTime, startsIn } from '@/test/support/line-sale';
import { joinSaleLine } from './join-sale-line';
import { findOwnPlace } from './own-place';
import { tendLines } from './tend-lines';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });

/** Lets so much time pass since a worker last looked, and everything that a line remembers be older by as much. */
async function pass(saleId: string, ms: number): Promise<void> {
  await db().$executeRaw`
    UPDATE lines SET tended_at = tended_at - make_interval(secs => ${ms / 1_000}) WHERE sale_id = ${saleId}`;
  await passTime(saleId, ms);
}

/** A waiting room in which everybody has been let in, and the first of `userIds` has come in. */
async function letIn(): Promise<SaleFixture> {
  const sale = await createLineSale({ users: 2, total: 5 });
  const { saleId, userIds } = sale;
  for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
  await startsIn({ saleId }, 0);
  for (let round = 0; round < 3; round += 1) {
    await pass(saleId, 300);
    await tendLines();
  }
  expect(await db().line.findUniqueOrThrow({ where: { saleId } })).toMatchObject({ admitted: 2 });
  expect(await issueEntry(saleId, member(userIds[0] as string))).toMatchObject({ status: 'entered' });
  return sale;
}

/** Enters again and buys with the token. @returns the status of the purchase, or why there is no token */
async function enterAndBuy({ saleId, gate }: SaleFixture, userId: string): Promise<number | string> {
  const entry = await issueEntry(saleId, member(userId));
  if (entry.status !== 'entered') return entry.status;
  return (await purchase({ saleId, gate, entryToken: entry.entryToken, body: '' })).status;
}

describe('time that stands still', () => {
  it('[P3 M1] costs nobody a turn in a pause, whether or not it was used', async () => {
    const sale = await letIn();
    const { saleId, userIds, epoch } = sale;
    const [inside = '', outside = ''] = userIds;
    await configureStock({ saleId, epoch, paused: true });
    // Workers go on to look all the while: two and a half minutes in steps of two seconds.
    for (let seconds = 0; seconds < 150; seconds += 2) {
      await pass(saleId, 2_000);
      await tendLines();
    }
    expect(await findOwnPlace(saleId, inside)).toMatchObject({ isOver: false });
    expect(await joinSaleLine(saleId, member(inside), { address: null })).toMatchObject({
      status: 'already_joined',
    });
    await configureStock({ saleId, epoch, paused: false });
    expect(await enterAndBuy(sale, inside)).toBe(202);
    expect(await enterAndBuy(sale, outside)).toBe(202);
  });

  it('[P3 M1] costs nobody a turn while no worker looks, and has its end afterwards', async () => {
    const sale = await letIn();
    const { saleId, userIds } = sale;
    const [inside = '', outside = ''] = userIds;
    await pass(saleId, 600_000);
    // No worker has looked since: the process answers the page by itself.
    expect(await findOwnPlace(saleId, inside)).toMatchObject({ isOver: false });
    expect(await joinSaleLine(saleId, member(inside), { address: null })).toMatchObject({
      status: 'already_joined',
    });
    // A shopper who comes in now has two minutes from now, not from the moment the workers went away.
    expect(await issueEntry(saleId, member(outside))).toMatchObject({ status: 'entered' });
    await tendLines();
    expect(await enterAndBuy(sale, inside)).toBe(202);
    await passTime(saleId, 200_000);
    expect(await issueEntry(saleId, member(outside))).toMatchObject({ status: 'turn_over' });
  });
});
