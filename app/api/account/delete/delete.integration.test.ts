import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerAccount } from '@/lib/access/register-account';
import { signIn } from '@/lib/access/sign-in';
import { userOfSession } from '@/lib/account/current-user';
import { stopWatchingEndedSessions, watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { unbanUser } from '@/lib/admin/users/ban-user';
import { verifyChain } from '@/lib/audit/verify-chain';
import { createConsumers } from '@/lib/checkout/order/consumers';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { releaseUnpaid } from '@/lib/checkout/order/release-unpaid';
import { refundLate } from '@/lib/checkout/payment/refund-late';
import { drainOutbox } from '@/lib/checkout/testing/drain-outbox';
import { standOf } from '@/lib/checkout/testing/order-fixture';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { buy, createSaleFixture, makeOverdue, readStates } from '@/lib/checkout/testing/sale-fixture';
import { join, soldOut } from '@/lib/checkout/waitlist/testing/waitlist-fixture';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { insertOrders } from '@/lib/order/insert-orders';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { openShop } from '@/lib/shop/open-shop';
import { readPlace } from '@/lib/waitlist/read-place';
import { callWith, sessionOf } from '@/test/support/call-as';
import { expectSound } from '@/test/support/expect-sound';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { POST } from './route';

const caller = { address: null, headers: new Headers() };
const mailDir = keepMailsApart();
beforeAll(async () => {
  await watchEndedSessions();
});
beforeEach(async () => {
  await cacheRedis().flushall();
});
afterAll(async () => {
  await stopWatchingEndedSessions();
  await Promise.all([closeRedis(), closeDb()]);
});

const remove = async (userId: string, currentPassword = PASSWORD) =>
  callWith(await sessionOf(userId), POST as never, { method: 'POST', body: { currentPassword } });
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code ?? 'deleted';
const rowOf = (id: string) => db().user.findUniqueOrThrow({ where: { id } });

describe('[N2] deleting an account', () => {
  it('removes what tells who it was, ends every session within a second, says so by mail; the address is free', async () => {
    const { id, email } = await makeAccount();
    const elsewhere = await sessionOf(id);
    const [{ id: sessionId } = { id: '' }] = await db().session.findMany({ where: { userId: id } });
    await db().$executeRaw`
      INSERT INTO notifications (user_id, kind, order_id, message_id) VALUES (${id}, 'paid', 1, ${id})`;
    await db().totpFactor.create({ data: { userId: id, sealedSecret: 'x', keyMark: 'x' } });
    await db().recoveryCode.create({ data: { userId: id, codeHash: 'a'.repeat(64) } });
    const key = { id: `pk_${id}`, credentialId: id, publicKey: Buffer.alloc(1), name: 'x' };
    await db().passkey.create({ data: { ...key, userId: id, lastChallengeAt: new Date() } });
    const answer = await remove(id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    await expect.poll(() => isSessionEnded(sessionId), { timeout: 30_000, interval: 20 }).toBe(true);
    expect(await userOfSession(elsewhere)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('wrong');
    expect(await rowOf(id)).toMatchObject({
      email: `${id}@deleted.invalid`,
      name: 'deleted',
      passwordHash: '!',
      emailVerifiedAt: null,
      deletedAt: expect.any(Date),
    });
    expect(await db().notification.count({ where: { userId: id } })).toBe(0);
    expect(await db().totpFactor.count({ where: { userId: id } })).toBe(0);
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect(await db().passkey.count({ where: { userId: id } })).toBe(0);
    await expect.poll(() => readdir(mailDir.path)).toContain(`deleted-${id}.eml`);
    const logged = await db().auditEntry.findMany({ where: { subjectId: id, action: 'user.delete' } });
    expect(logged).toMatchObject([{ actorId: id, before: null, after: null }]);
    expect(await verifyChain()).toMatchObject({ ok: true });
    const again = { email, password: 'a new one', name: 'Ann', locale: 'en' as const };
    expect(await registerAccount(again, caller)).toMatchObject({
      status: 'registered',
      userId: expect.not.stringContaining(id),
    });
    const admin = { ...(await makeAccount('admin')), role: 'admin' as const };
    expect(await unbanUser({ userId: admin.id, role: admin.role } as never, id)).toEqual({
      status: 'not_found',
    });
  });

  it('wants the password, and is refused with the reason: unpaid orders, a shop, the last admin, a demo account', async () => {
    const shopper = await makeAccount();
    expect(await codeOf(await remove(shopper.id, 'wrong'))).toBe('PASSWORD_WRONG');
    const sale = await createSaleFixture({ users: 0 });
    const order = await buy(sale, shopper.id);
    await createOrders({ saleId: sale.saleId, orders: [order] });
    expect(await (await remove(shopper.id)).json()).toMatchObject({
      code: 'ACCOUNT_HAS_OPEN_ORDERS',
      orders: 1,
    });
    const merchant = await makeAccount('merchant');
    await db().$transaction((tx) => openShop(tx, { userId: merchant.id, name: 'Lamps' }));
    const hire = (id: string, role: string) =>
      db().shopMember.create({ data: { shopId: merchant.id, userId: id, role, addedBy: merchant.id } });
    const viewer = await makeAccount('merchant');
    await hire(viewer.id, 'viewer');
    expect(await codeOf(await remove(merchant.id))).toBe('LAST_OWNER');
    await db().sale.update({ where: { id: sale.saleId }, data: { merchantId: merchant.id } });
    expect(await codeOf(await remove(merchant.id))).toBe('ACCOUNT_OWNS_SALES');
    // With another owner it goes, and so does who only looks.
    const second = await makeAccount('merchant');
    await hire(second.id, 'owner');
    for (const { id } of [merchant, viewer]) expect((await remove(id)).status).toBe(200);
    expect(await db().shopMember.findMany({ where: { shopId: merchant.id } })).toMatchObject([
      { userId: second.id },
    ]);
    const admin = await makeAccount('admin');
    await db().user.updateMany({
      where: { role: 'admin', id: { not: admin.id } },
      data: { bannedAt: new Date() },
    });
    expect(await codeOf(await remove(admin.id))).toBe('LAST_ADMIN');
    await db().user.update({ where: { id: shopper.id }, data: { isDemo: true } });
    expect(await codeOf(await remove(shopper.id))).toBe('DEMO_ACCOUNT');
    expect(await rowOf(shopper.id)).toMatchObject({ deletedAt: null, email: shopper.email });
  });

  it('leaves paid orders in the books under its id; verify stays green, and no notice follows', async () => {
    const { id } = await makeAccount();
    const sale = await createSaleFixture({ users: 0 });
    const { orderNo } = await buy(sale, id);
    await drainOutbox(sale.saleId);
    await payFor(orderNo);
    expect(await codeOf(await remove(id))).toBe('deleted');
    for (const consumer of createConsumers().consumers)
      while ((await consumeMessages(consumer)).status === 'consumed');
    expect(await db().notification.count({ where: { userId: id } })).toBe(0);
    expect((await readdir(mailDir.path)).filter((name) => name.includes(orderNo))).toEqual([]);
    expect(await db().order.findFirst({ where: { id: BigInt(orderNo) } })).toMatchObject({
      userId: id,
      status: 'paid',
    });
    expect(await db().pointsEntry.count({ where: { userId: id } })).toBe(1);
    await expectSound(sale);
  });

  it('a purchase that was accepted before and is written afterwards runs out unpaid, and its unit comes back', async () => {
    const { id } = await makeAccount();
    const sale = await createSaleFixture({ users: 0, total: 1 });
    const { orderNo } = await buy(sale, id);
    expect(await codeOf(await remove(id))).toBe('deleted');
    await drainOutbox(sale.saleId);
    await expectSound(sale);
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    expect((await readStates(sale.saleId)).get(orderNo)).toMatchObject({
      status: 'cancelled',
      endReason: 'expired',
    });
    await buy(sale, (await makeAccount()).id);
    await expectSound(sale);
  });

  it('waits for an order that is just being written, and is refused then', async () => {
    const { id } = await makeAccount();
    const sale = await createSaleFixture({ users: 0 });
    const order = await buy(sale, id);
    let answer: Promise<Response> | undefined;
    await transaction(async (tx) => {
      await insertOrders(tx, sale.saleId, [order], 'sandbox');
      answer = remove(id);
      await expect
        .poll(
          () => db().$queryRaw`
            SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          { timeout: 30_000 },
        )
        .not.toEqual([]);
    });
    expect(await codeOf((await answer) as Response)).toBe('ACCOUNT_HAS_OPEN_ORDERS');
    expect((await rowOf(id)).deletedAt).toBeNull();
  });

  it('[I10] sends late money back; money that was kept before stays kept', async () => {
    for (const isDeletedFirst of [true, false]) {
      const { id } = await makeAccount();
      const sale = await createSaleFixture({ users: 0, total: 1 });
      const { orderNo } = await buy(sale, id);
      await drainOutbox(sale.saleId);
      await makeOverdue([orderNo]);
      await releaseUnpaid([orderNo]);
      if (isDeletedFirst) expect(await codeOf(await remove(id))).toBe('deleted');
      expect(await payFor(orderNo)).toBe('late');
      expect(await refundLate([{ paymentId: `pay_${orderNo}` }])).toBe(isDeletedFirst ? 1 : 0);
      if (!isDeletedFirst) expect(await codeOf(await remove(id))).toBe('deleted');
      expect(await standOf(orderNo)).toBe(
        isDeletedFirst ? 'cancelled, payment refunded' : 'paid, payment succeeded',
      );
      await expectSound(sale);
    }
  });

  it('leaves the waitlists it stands in: the next one gets the unit', async () => {
    const sale = await soldOut();
    const [first = '', , third = ''] = sale.userIds;
    const { id } = await makeAccount();
    const { orderNo } = await buy(sale, first);
    await join(sale, id);
    await join(sale, third);
    expect(await codeOf(await remove(id))).toBe('deleted');
    await drainOutbox(sale.saleId);
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    expect(await readPlace(sale.saleId, third)).toMatchObject({ state: 'given' });
    await expectSound(sale);
  });
});
