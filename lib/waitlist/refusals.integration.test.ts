import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { buy, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { flushRefusals } from '@/lib/refusal/note-refusal';
import { readRefusals } from '@/lib/refusal/read-refusals';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { configureStock } from '@/lib/stock/configure-stock';
import { createLineSale } from '@/test/support/line-sale';
import { answerJoin } from './answer-join';
import { soldOut } from './testing/waitlist-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

async function joinOverHttp(saleId: string, userId: string): Promise<string | number> {
  const claims = { userId, saleId, level: 0, jti: newId('jti'), expiresAt: Date.now() + 600_000, device: '' };
  const reply = await answerJoin({
    saleId,
    entryToken: signEntryToken({ ...claims, session: '' }),
    body: '',
    contentType: null,
    address: null,
  });
  return JSON.parse(String(reply.body)).code ?? reply.status;
}

/** Reads what the shopper can be told later, as `place code`. */
async function toldLater(saleId: string, userId: string): Promise<string[]> {
  await flushRefusals();
  return (await readRefusals(saleId, userId)).map(({ place, code }) => `${place} ${code}`).sort();
}

/** Reads what the sale's log has of the shopper's refusals. */
const logged = async (saleId: string, userId: string) => {
  const batches = await db().$queryRaw<{ decisions: { kind: string; user: string; detail: object }[] }[]>`
    SELECT decisions FROM decision_batches WHERE sale_id = ${saleId}`;
  return batches
    .flatMap(({ decisions }) => decisions)
    .filter(({ kind, user }) => kind === 'refused' && user === userId)
    .map(({ detail }) => detail);
};

it('[M2 J5] every refusal of the waitlist is told later, and is in the sale’s log', async () => {
  const sale = await soldOut();
  const { saleId, userIds } = sale;
  const [first = '', second = '', buyer = ''] = userIds;
  expect(await joinOverHttp(saleId, second)).toBe('UNITS_FOR_SALE');
  await buy(sale, buyer);
  expect(await joinOverHttp(saleId, first)).toBe(201);
  await configureStock({ saleId, epoch: sale.epoch, isWaitlistOpen: false });
  expect(await joinOverHttp(saleId, second)).toBe('WAITLIST_CLOSED');
  expect(await joinOverHttp(saleId, second)).toBe('WAITLIST_CLOSED');
  expect(await toldLater(saleId, second)).toEqual(['waitlist UNITS_FOR_SALE', 'waitlist WAITLIST_CLOSED']);
  expect(await toldLater(saleId, first)).toEqual([]);
  expect(await logged(saleId, second)).toEqual(
    ['UNITS_FOR_SALE', 'WAITLIST_CLOSED'].map((reason) => ({ place: 'waitlist', reason })),
  );

  const without = await createSaleFixture();
  expect(await joinOverHttp(without.saleId, second)).toBe('NO_WAITLIST');
  expect(await toldLater(without.saleId, second)).toEqual(['waitlist NO_WAITLIST']);
});

it.each([
  ['DEVICE_REQUIRED', { onePlacePerDevice: true }],
  ['SALE_ENDED', { status: 'closed' }],
  ['ENTRY_NOT_OPEN', { entryOpensAt: new Date(Date.now() + 600_000) }],
  ['LINE_CLOSED', { admission: 'draw', startsAt: new Date(Date.now() - 1_000) }],
] as const)(
  '[M1 M4 J5] a refusal at the line is told later, and is in the sale’s log: %s',
  async (code, data) => {
    const { saleId, userIds } = await createLineSale({ users: 1, waitlist: true });
    await db().sale.update({ where: { id: saleId }, data });
    await forgetSaleInfo(saleId);
    const [userId = ''] = userIds;
    const member = { device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 };
    await joinSaleLine(saleId, { ...member, userId }, { address: null });
    expect(await toldLater(saleId, userId)).toEqual([`entry ${code}`]);
    expect(await logged(saleId, userId)).toEqual([{ place: 'entry', reason: code }]);
  },
);
