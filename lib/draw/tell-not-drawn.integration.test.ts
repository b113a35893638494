import { afterAll, beforeEach, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { claimNotDrawn } from '@/lib/draw/records/claim-not-drawn';
import { readNotices } from '@/lib/order/read-notices';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { putMessages } from '@/lib/outbox/put-message';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { closeRedis } from '@/lib/redis/client';
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist';
import { runDraws } from './run-draws';
import { tellNotDrawn } from './tell-not-drawn';
import { createDrawFixture, readEntries } from './testing/draw-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

/** A mail of somebody else that waits. */
const MAIL = { topic: 'mail', payload: {} } as const;

const mailsOf = async (saleId: string) => {
  const rows = await db().outgoingMessage.findMany({
    where: { topic: 'mail', payload: { path: ['saleId'], equals: saleId } },
  });
  return rows.map(({ payload }) => payload as Record<string, string>);
};
/** The users in the order of their places. */
const inOrder = async (saleId: string): Promise<string[]> =>
  (await readEntries(saleId))
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
    .map(({ userId }) => userId);

it('[O7 M4] whoever was not drawn is told once, when the winners have their orders; nobody else is', async () => {
  const { saleId, userIds } = await createDrawFixture({ users: 9, total: 3 });
  const [banned] = userIds;
  await db().$executeRaw`UPDATE users SET banned_at = now() WHERE id = ${banned}`;
  expect(await tellNotDrawn()).toBe(0);
  expect(await runDraws()).toBe(1);
  // The winners' orders are on their way.
  expect(await tellNotDrawn()).toBe(0);
  await drainOutbox(saleId);
  const drawn = (await inOrder(saleId)).filter((userId) => userId !== banned);
  const left = drawn[4] as string;
  await leaveWaitlist(saleId, left);

  const counts = await Promise.all([tellNotDrawn(), tellNotDrawn(), tellNotDrawn()]);
  expect(counts.toSorted()).toEqual([0, 0, 4]);
  const told = await readNotices(
    (await mailsOf(saleId)).map((payload, at) => ({ id: String(at), attempts: 1, payload })),
  );
  expect(told.map(({ userId }) => userId)).toEqual(drawn.slice(3).filter((userId) => userId !== left));
  const { slug } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  for (const notice of told)
    expect(notice).toMatchObject({ kind: 'not_drawn', saleSlug: slug, key: `not_drawn-${notice.orderNo}` });

  // A draw that a worker finishes again.
  await db().$executeRaw`UPDATE lines SET enlisted_at = NULL WHERE sale_id = ${saleId}`;
  await db().$executeRaw`UPDATE sales SET paused = false WHERE id = ${saleId}`;
  expect(await runDraws()).toBe(1);
  expect(await tellNotDrawn()).toBe(0);
});

it('[O7 K5] goes on in pages where a worker died, and tells nobody twice', async () => {
  const { saleId } = await createDrawFixture({ users: 1_300, total: 2 });
  expect(await runDraws()).toBe(1);
  await drainOutbox(saleId);
  const pages: number[] = [];
  const dying = () =>
    db().$transaction(async (tx) => {
      pages.push((await claimNotDrawn(tx))?.orderNos.length ?? -1);
      // Meanwhile no other worker takes this page.
      expect(await tellNotDrawn()).toBe(0);
      throw new Error('killed');
    });
  await db().$executeRaw`UPDATE lines SET settled_at = now() WHERE sale_id = ${saleId}`;
  await putMessages(db(), [MAIL, MAIL]);
  await expect(dying()).rejects.toThrow('killed');
  const told = await tellNotDrawn();
  await expect(dying()).rejects.toThrow('killed');
  // A thousand mails wait after two pages: the third one waits for them.
  expect(pages).toEqual([498, 300]);
  expect(told).toBe(998);
  expect(await tellNotDrawn()).toBe(0);
  await db().$executeRaw`UPDATE outgoing_messages SET sent_at = now()`;
  expect(await tellNotDrawn()).toBe(300);
  expect(await tellNotDrawn()).toBe(0);
  const keys = (await mailsOf(saleId)).map(({ key }) => key);
  expect(keys).toHaveLength(1_298);
  expect(new Set(keys).size).toBe(1_298);
});

it('[O7 M4] with fewer people than units, and of a draw of last week, nobody is told', async () => {
  const everybody = await createDrawFixture({ users: 2, total: 5 });
  const old = await createDrawFixture({ users: 3, total: 1 });
  expect(await runDraws()).toBe(2);
  await db()
    .$executeRaw`UPDATE lines SET enlisted_at = now() - interval '7 days' WHERE sale_id = ${old.saleId}`;
  await drainOutbox(everybody.saleId);
  await drainOutbox(old.saleId);
  expect(await tellNotDrawn()).toBe(0);
  await db().$executeRaw`UPDATE lines SET enlisted_at = now() WHERE sale_id = ${old.saleId}`;
  expect(await tellNotDrawn()).toBe(2);
});

it('[O7 O3] of variants, whoever was not drawn is told though another variant has units left', async () => {
  const sale = await createDrawFixture({ users: 5, variants: [2, 5], wishes: [1, 1, 1, 1, 2] });
  const { saleId } = sale;
  expect(await runDraws()).toBe(1);
  expect(await tellNotDrawn()).toBe(0);
  await drainOutbox(saleId);
  expect(await tellNotDrawn()).toBe(2);
  const told = await readNotices(
    (await mailsOf(saleId)).map((payload, at) => ({ id: String(at), attempts: 1, payload })),
  );
  const { name } = await db().saleVariant.findFirstOrThrow({ where: { saleId, number: 1 } });
  for (const { saleTitle } of told) expect(saleTitle).toContain(name);
});
