import { afterAll, beforeEach, expect, it } from 'vitest';
import { POST as enterOverHttp } from '@/app/api/sales/[saleId]/entry/route';
import { POST as joinOverHttp } from '@/app/api/sales/[saleId]/waitlist/route';
import { closeDb, db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { purchase } from '@/lib/purchase/purchase';
import { countStock } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { readBuyer } from '@/lib/stock/read-buyer';
import { callWith, sessionOf } from '@/test/support/call-as';
import { eventually } from '@/test/support/eventually';
import { makeUser } from '@/test/support/make-sale';
import { runDraws } from './run-draws';
import { createDrawFixture } from './testing/draw-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

/** Asks for entry and, with the token, for a place on the waitlist, as a shopper who comes later does. */
async function comeLater(saleId: string, userId: string) {
  const session = await sessionOf(userId);
  const ask = async (handler: typeof enterOverHttp, headers: Record<string, string> = {}) => {
    const reply = await callWith(session, handler, { method: 'POST', params: { saleId }, headers });
    return { status: reply.status, ...(await reply.json()) };
  };
  const entry = await ask(enterOverHttp);
  const token = { 'x-entry-token': String(entry.entryToken ?? '') };
  return { entry, waitlist: await ask(joinOverHttp, token), token: token['x-entry-token'] };
}

it('[M4 P2] the rest of a draw with fewer people than units goes to whoever comes later, over HTTP', async () => {
  const { saleId, gate, userIds } = await createDrawFixture({ users: 1, total: 3 });
  const [drawn = ''] = userIds;
  const [second, third, fourth] = await Promise.all([makeUser(), makeUser(), makeUser()]);
  // Before the draw is finished nobody gets ahead of those who take part.
  const early = await comeLater(saleId, second.userId);
  expect(early.entry).toMatchObject({ status: 409, code: 'DRAW_ONLY' });
  expect(early.waitlist).toMatchObject({ status: 401, code: 'ENTRY_INVALID' });
  expect(await runDraws()).toBe(1);
  expect(await readBuyer(saleId, drawn)).toMatchObject([{ state: 'held' }]);

  for (const [at, { userId }] of [second, third].entries()) {
    const late = await eventually(async () => {
      const told = await comeLater(saleId, userId);
      expect(told.entry).toMatchObject({ status: 200 });
      return told;
    });
    expect(late.waitlist).toMatchObject({ status: 200, state: 'given', orderNo: expect.any(String) });
    expect(await countStock(saleId)).toMatchObject({ redis: { available: 1 - at, held: 2 + at } });
    // The token is no way past the line: it buys nothing, and gives no second unit.
    const pressed = await purchase({ saleId, gate, entryToken: late.token, body: '' });
    expect(pressed).toMatchObject({ status: 409, body: expect.stringContaining('DRAW_ONLY') });
  }
  // None is left: the next shopper waits.
  const last = await comeLater(saleId, fourth.userId);
  expect(last.waitlist).toMatchObject({ status: 201, state: 'waiting', ahead: 0 });
});
