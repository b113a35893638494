import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as enterOverHttp } from '@/app/api/sales/[saleId]/entry/route';
import { POST as joinOverHttp, GET as placeOverHttp } from '@/app/api/sales/[saleId]/line/route';
import { POST as waitOverHttp } from '@/app/api/sales/[saleId]/waitlist/route';
import { closeDb, db } from '@/lib/db/client';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { createLine } from '@/lib/line/records/create-line';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { countVariants, createSaleFixture, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { readBuyer } from '@/lib/stock/read-buyer';
import { verifyLog } from '@/lib/verify/verify-log';
import { verifyProofs } from '@/lib/verify/verify-proofs';
import { verifySale } from '@/lib/verify/verify-sale';
import { tendWaitlists } from '@/lib/waitlist/tend-waitlists';
import { callWith, sessionOf } from '@/test/support/call-as';
import { eventually } from '@/test/support/eventually';
import { startsIn } from '@/test/support/line-sale';
import { makeUser } from '@/test/support/make-sale';
import { readAdminDraw } from './admin/read-admin-draw';
import { readSaleProof } from './read-sale-proof';
import { runDraws } from './run-draws';
import { createDrawFixture, readEntries } from './testing/draw-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

/** A draw of variants that is open for an hour. */
async function openDraw(
  variants: number[],
  users: number,
  data: { onePlacePerDevice?: boolean; placesPerNetwork?: number } = {},
) {
  const sale = await createSaleFixture({ variants, users, waitlist: true });
  await db().sale.update({ where: { id: sale.saleId }, data: { admission: 'draw', ...data } });
  await createLine(db(), sale.saleId);
  await startsIn(sale, 3_600_000);
  return sale;
}

async function enter(saleId: string, userId: string, variant?: unknown) {
  const call = { method: 'POST', params: { saleId }, body: variant === undefined ? {} : { variant } };
  const reply = await callWith(await sessionOf(userId), joinOverHttp, call);
  return { http: reply.status, ...(await reply.json()) };
}

async function placeOf(saleId: string, userId: string) {
  const reply = await callWith(await sessionOf(userId), placeOverHttp, { params: { saleId } });
  return { http: reply.status, ...(await reply.json()) };
}

async function expectSound(saleId: string) {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 300 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  await publishLogs();
  for (const verify of [verifyLog, verifyProofs]) expect(await verify(saleId)).toMatchObject({ ok: true });
}

/** Lists who has a unit of which variant, as Redis counts. */
async function holders({ saleId, userIds }: { saleId: string; userIds: string[] }) {
  const all = await Promise.all(
    userIds.map(async (userId) =>
      (await readBuyer(saleId, userId)).flatMap(({ state, variant }) =>
        state === 'released' ? [] : [`${userId} ${variant}`],
      ),
    ),
  );
  return all.flat().sort();
}

describe('a draw of a sale with variants', () => {
  it('[O3 M4] wants a wish: none, one that there is not, or one where there are none is refused, and no place is given', async () => {
    const { saleId, userIds } = await openDraw([1, 1], 2);
    const [ada = ''] = userIds;
    for (const variant of [undefined, 0, 3])
      expect(await enter(saleId, ada, variant)).toMatchObject({ http: 422, code: 'VARIANT_UNKNOWN' });
    expect(await enter(saleId, ada, 'S')).toMatchObject({ http: 422, code: 'VALIDATION' });
    expect(await readEntries(saleId)).toEqual([]);
    expect(await enter(saleId, ada, 2)).toMatchObject({ http: 201, number: 0, variant: 2 });
    const plain = await createSaleFixture({ users: 1, waitlist: true });
    await db().sale.update({ where: { id: plain.saleId }, data: { admission: 'draw' } });
    await createLine(db(), plain.saleId);
    await startsIn(plain, 3_600_000);
    const [other = ''] = plain.userIds;
    expect(await enter(plain.saleId, other, 1)).toMatchObject({ http: 422, code: 'VARIANT_UNKNOWN' });
    expect(await enter(plain.saleId, other)).toMatchObject({ http: 201, variant: 0 });
  });

  it('[O3 M4] keeps one place per person: entering again changes the wish, four times at most, and not after the close', async () => {
    const { saleId, userIds } = await openDraw([1, 1, 1], 2);
    const [ada = '', ben = ''] = userIds;
    expect(await enter(saleId, ada, 1)).toMatchObject({ http: 201, number: 0, variant: 1 });
    expect(await enter(saleId, ada, 1)).toMatchObject({ http: 200, number: 0, variant: 1 });
    for (const [number, variant] of [
      [1, 2],
      [2, 3],
      [3, 1],
      [4, 2],
    ] as const)
      expect(await enter(saleId, ada, variant)).toMatchObject({ http: 201, number, variant });
    // Refused, the place and the wish stand.
    expect(await enter(saleId, ada, 3)).toMatchObject({ http: 409, code: 'JOINED_TOO_OFTEN' });
    expect(await placeOf(saleId, ada)).toMatchObject({ number: 4, variant: 2, isOver: false });
    expect(await enter(saleId, ben, 1)).toMatchObject({ http: 201, number: 5 });
    const entries = await readEntries(saleId);
    expect(entries.map(({ variant, leftAt }) => [variant, leftAt === null])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [1, false],
      [2, true],
      [1, true],
    ]);
    await startsIn({ saleId }, 0);
    expect(await enter(saleId, ben, 3)).toMatchObject({ http: 409, code: 'LINE_CLOSED' });
    expect(await enter(saleId, ben, 1)).toMatchObject({ http: 200, number: 5, variant: 1 });
    await db().sale.update({ where: { id: saleId }, data: { paused: false } });
    expect(await runDraws()).toBe(1);
    expect(await holders({ saleId, userIds })).toEqual([`${ada} 2`, `${ben} 1`].sort());
    await expectSound(saleId);
  });

  it('[O3 G15] a changed wish is no further place of its device and network', async () => {
    const rules = { onePlacePerDevice: true, placesPerNetwork: 1 };
    const { saleId, userIds } = await openDraw([1, 1], 2, rules);
    const wish = (at: number, variant: number) => {
      const account = { userId: userIds[at] ?? '', level: 0, createdAt: 0, emailVerifiedAt: 1 };
      const joining = { address: '203.0.113.9', variant };
      return joinSaleLine(saleId, { ...account, device: `device_${at}` }, joining);
    };
    expect(await wish(0, 1)).toMatchObject({ status: 'joined', place: { variant: 1 } });
    expect(await wish(0, 2)).toMatchObject({ status: 'joined', place: { variant: 2 } });
    expect(await wish(1, 1)).toMatchObject({ status: 'taken', by: 'network' });
  });

  it('[O3 M4] two wishes of one person at once are one place, and the answer says which', async () => {
    const { saleId, userIds } = await openDraw([1, 1], 1);
    const [ada = ''] = userIds;
    const answers = await Promise.all([1, 2, 1, 2].map((variant) => enter(saleId, ada, variant)));
    const { number, variant } = await placeOf(saleId, ada);
    expect(answers).toContainEqual(expect.objectContaining({ number, variant }));
    const entries = await readEntries(saleId);
    expect(entries.filter(({ leftAt }) => leftAt === null)).toMatchObject([{ number, variant }]);
    const given = answers.filter(({ http }) => http === 201);
    expect(given.map((place) => place.number).sort()).toEqual(entries.map((entry) => entry.number).sort());
    expect(answers.filter(({ http }) => http === 200)).toHaveLength(4 - given.length);
  });

  it('[O3 M4] draws each variant among those who wished it, and who lost waits for what comes back of it', async () => {
    const wishes = Array.from({ length: 12 }, (_, at) => (at < 7 ? 1 : at < 11 ? 2 : 3));
    const sale = await createDrawFixture({ users: 12, variants: [2, 1, 3], wishes });
    const { saleId } = sale;
    expect(await runDraws()).toBe(1);
    const order = (await readEntries(saleId)).toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
    const first = (variant: number, units: number) =>
      order.filter((entry) => entry.variant === variant).slice(0, units);
    const won = [...first(1, 2), ...first(2, 1), ...first(3, 3)];
    expect(await holders(sale)).toEqual(won.map(({ userId, variant }) => `${userId} ${variant}`).sort());
    expect((await countVariants(saleId)).left).toEqual([0, 0, 2]);

    await drainOutbox(saleId);
    const lost = first(2, 2)[1]?.userId ?? '';
    expect(await placeOf(saleId, lost)).toMatchObject({
      variant: 2,
      draw: { orderNo: null, isFinal: true },
    });
    const winner = await placeOf(saleId, first(2, 1)[0]?.userId ?? '');
    expect(winner).toMatchObject({ variant: 2, draw: { orderNo: expect.any(String) } });
    await makeOverdue([winner.draw.orderNo]);
    await releaseUnpaid([winner.draw.orderNo]);
    expect(await readBuyer(saleId, lost)).toMatchObject([{ variant: 2, state: 'held' }]);
    await tendWaitlists();
    await expectSound(saleId);

    const proof = await readSaleProof(saleId, 0);
    if (typeof proof === 'string') throw new Error(proof);
    expect(proof.entries.map(({ variant }) => variant)).toEqual(wishes);
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const seen = await readAdminDraw({ userId: merchantId, role: 'merchant' }, saleId);
    expect(seen).toMatchObject({
      draw: {
        variants: [
          { name: 'Variant 1', units: 2, people: 7, won: 2 },
          { name: 'Variant 2', units: 1, people: 4, won: 2 },
          { name: 'Variant 3', units: 3, people: 1, won: 1 },
        ],
      },
    });
  });

  it('[O3 M4] a place without a wish, as the release before gave it, gets nothing and does not stop the draw', async () => {
    const sale = await createDrawFixture({ users: 3, variants: [1, 1], wishes: [0, 1, 2] });
    const { saleId, userIds } = sale;
    expect(await runDraws()).toBe(1);
    const [none = '', small, large] = userIds;
    expect(await holders(sale)).toEqual([`${small} 1`, `${large} 2`].sort());
    expect(await placeOf(saleId, none)).toMatchObject({ variant: 0, draw: { orderNo: null } });
    expect(await verifyProofs(saleId)).toMatchObject({ ok: true });
  });

  it('[O3 M4] has the rest of a variant for who comes later, who may wait for another one only where it is gone', async () => {
    const sale = await createDrawFixture({ users: 2, variants: [1, 3], wishes: [1, 2] });
    const { saleId } = sale;
    expect(await runDraws()).toBe(1);
    const later = async (userId: string, variant: number) => {
      const session = await sessionOf(userId);
      return eventually(async () => {
        const entry = await callWith(session, enterOverHttp, { method: 'POST', params: { saleId } });
        expect(entry.status).toBe(200);
        const { entryToken } = await entry.json();
        const headers = { 'x-entry-token': String(entryToken) };
        const call = { method: 'POST', params: { saleId }, headers, body: { variant } };
        const reply = await callWith(session, waitOverHttp, call);
        return { http: reply.status, ...(await reply.json()) };
      });
    };
    const [cyd, dan, eve] = await Promise.all([makeUser(), makeUser(), makeUser()]);
    expect(await later(cyd.userId, 2)).toMatchObject({ http: 200, state: 'given', variant: 2 });
    expect(await later(dan.userId, 1)).toMatchObject({ http: 201, state: 'waiting', variant: 1, ahead: 0 });
    expect(await later(eve.userId, 2)).toMatchObject({ http: 200, state: 'given', variant: 2 });
    expect((await countVariants(saleId)).left).toEqual([0, 0]);
    await expectSound(saleId);
  });

  it('[O3 M4] logs each wish with the place, and each change as leaving and entering', async () => {
    const { saleId, userIds } = await openDraw([1, 1], 1);
    const [ada = ''] = userIds;
    await enter(saleId, ada, 1);
    await enter(saleId, ada, 2);
    await publishLogs();
    const leaves = await db().decisionLeaf.findMany({ where: { saleId }, orderBy: { index: 'asc' } });
    const told = leaves.map(({ leaf }) => JSON.parse(leaf)).filter(({ kind }) => kind !== 'committed');
    expect(told.map(({ kind, detail }) => [kind, detail.number, detail.variant])).toEqual([
      ['entered', 0, 1],
      ['left', 0, undefined],
      ['entered', 1, 2],
    ]);
    expect(await verifyLog(saleId)).toMatchObject({ ok: true });
  });
});
