import { afterAll, expect, it } from 'vitest';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { Visit } from '@/lib/contract/shapes/account';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { publishNow } from '@/lib/purchase/testing/listed-now';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { reserve } from '@/lib/reservation/reserve';
import { sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { reservable } from '@/test/support/reservable';
import { servedVisit } from './read-visit';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function visit(session: string | null, query = ''): Promise<Visit> {
  const headers = new Headers(session === null ? {} : { cookie: `${sessionCookieName()}=${session}` });
  const answer = await servedVisit.answer(new Request(`http://shop.test/api/visit${query}`, { headers }), {});
  expect(answer.status).toBe(200);
  return (await answer.json()) as Visit;
}

const NOBODY = { user: null, signInServer: null, expiresAt: null, unread: null, reservation: null };

it('[A1 L3] tells a page who visits, and how many notices wait', async () => {
  const { userIds } = await createSaleFixture({ total: 1, users: 1 });
  const [userId = ''] = userIds;
  const session = await sessionOf(userId);
  expect(await visit(session)).toMatchObject({
    user: { id: userId, role: 'shopper' },
    unread: 0,
    reservation: null,
  });
  expect(await visit(null)).toEqual(NOBODY);
  expect(await visit(`${session}x`)).toEqual(NOBODY);
  await transaction((tx) => endSessions(tx, userId));
  expect(await visit(session)).toEqual(NOBODY);
});

it('[A1 H2] on the page of a sale: without the bell, with the own reservation if the sale takes any', async () => {
  const [plain, taking] = [await createSaleFixture({ total: 1, users: 1 }), await reservable()];
  const [{ userId }, { userId: other }] = [await makeUser(), await makeUser()];
  const [own, others] = [await sessionOf(userId), await sessionOf(other)];
  const slugOf = async ({ saleId }: { saleId: string }) =>
    (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).slug;
  await publishNow();
  expect(await visit(own, `?slug=${await slugOf(plain)}`)).toMatchObject({ unread: null, reservation: null });
  const { saleId } = taking;
  const page = `?slug=${await slugOf(taking)}`;
  expect((await reserve(saleId, userId)).status).toBe('reserved');
  expect((await visit(own, page)).reservation).toEqual({ saleId, reservedAt: expect.any(Number) });
  expect((await visit(others, page)).reservation).toEqual({ saleId, reservedAt: null });
  for (const odd of ['unknown', '%20', 'x'.repeat(200)])
    expect((await visit(own, `?slug=${odd}`)).reservation).toBeNull();
});
