import { describe, expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { openPayment } from '@/lib/order/records/open-payment';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { changeOrderPrice } from './change-order-price';

/** Makes an unpaid order of two units at 100 each, with its payment. */
async function makeOrder() {
  const { sale, merchant } = await makeSale({ limitPerUser: 2, priceMinor: 100 });
  const { userId } = await makeUser();
  const orderNo = await issueOrderNo(userId);
  const [shard, id, soon] = [shardOf(userId), BigInt(orderNo), new Date(Date.now() + 60_000)];
  const money = { amountMinor: 200, currency: 'CNY' };
  await db().order.create({
    data: {
      shard,
      id,
      saleId: sale.saleId,
      userId,
      quantity: 2,
      unitPriceMinor: 100,
      ...money,
      status: 'pending_payment',
      isOnlyOne: false,
      jti: orderNo,
      epoch: 1,
      acceptedAt: new Date(),
      payBy: soon,
      payment: { create: { id: `pay_${orderNo}`, provider: 'sandbox', ...money } },
    },
  });
  return { orderNo, userId, shard, id, merchant };
}

/** Starts both at once, and asks for the second one first. */
function openFirst<A, B>(open: () => Promise<A>, change: () => Promise<B>): [Promise<B>, Promise<A>] {
  const opening = open();
  return [change(), opening];
}

describe('changeOrderPrice', () => {
  it('[I1 F3] not once the payment was opened, also if it was declined since; opening asks for the latest price', async () => {
    const { orderNo, userId, merchant } = await makeOrder();
    const change = (priceMinor: number, version: number) =>
      changeOrderPrice(merchant, orderNo, { priceMinor, version });
    await change(80, 1);
    expect(await openPayment(userId, orderNo)).toMatchObject({ amountMinor: 160, currency: 'CNY' });
    expect(await change(70, 2)).toEqual({ status: 'payment_opened' });
    await db().payment.updateMany({ where: { id: `pay_${orderNo}` }, data: { status: 'failed' } });
    expect(await change(70, 2)).toEqual({ status: 'payment_opened' });
    expect(await openPayment(userId, orderNo)).toMatchObject({ amountMinor: 160 });
    // A stale version is reported first: it may explain the rest.
    expect(await change(70, 1)).toMatchObject({ status: 'version_conflict' });
    expect(await db().order.findFirst({ where: { id: BigInt(orderNo) } })).toMatchObject({
      amountMinor: 160,
      unitPriceMinor: 80,
      version: 2,
    });
  });

  it('[I1] of an opening and a price change at once one sees the other', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { orderNo, userId, merchant } = await makeOrder();
      const change = () => changeOrderPrice(merchant, orderNo, { priceMinor: 80, version: 1 });
      const open = () => openPayment(userId, orderNo);
      const [changed, opened] = await Promise.all(
        round % 2 === 0 ? [change(), open()] : openFirst(open, change),
      );
      const { amountMinor } = await db().payment.findFirstOrThrow({ where: { id: `pay_${orderNo}` } });
      expect(opened?.amountMinor).toBe(amountMinor);
      expect(changed.status).toBe(amountMinor === 160 ? 'changed' : 'payment_opened');
    }
  });

  it('[F3] 100 → 80 → 90, and the late 80 is refused with the current version (ABA)', async () => {
    const { orderNo, merchant } = await makeOrder();
    const change = (priceMinor: number, version: number) =>
      changeOrderPrice(merchant, orderNo, { priceMinor, version });
    expect(await change(80, 1)).toMatchObject({ status: 'changed', order: { version: 2, amountMinor: 160 } });
    expect(await change(90, 2)).toMatchObject({ status: 'changed', order: { version: 3, amountMinor: 180 } });
    expect(await change(80, 1)).toEqual({ status: 'version_conflict', version: 3, priceMinor: 90 });
  });

  it('[F4] the payment asks for the new amount', async () => {
    const { orderNo, merchant } = await makeOrder();
    await changeOrderPrice(merchant, orderNo, { priceMinor: 80, version: 1 });
    expect(await db().payment.findFirst({ where: { id: `pay_${orderNo}` } })).toMatchObject({
      amountMinor: 160,
    });
  });

  it('[F3] of ten at once on one version exactly one wins', async () => {
    const { orderNo, merchant } = await makeOrder();
    const all = Array.from({ length: 10 }, (_, n) =>
      changeOrderPrice(merchant, orderNo, { priceMinor: 50 + n, version: 1 }),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'changed')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'version_conflict')).toHaveLength(9);
  });

  it('[F3] not for paid orders, other merchants, impossible amounts or nonsense numbers', async () => {
    const { orderNo, shard, id, merchant } = await makeOrder();
    const price = { priceMinor: 80, version: 1 };
    expect(await changeOrderPrice(await makeUser('merchant'), orderNo, price)).toEqual({
      status: 'not_found',
    });
    expect(
      await changeOrderPrice(merchant, orderNo, { priceMinor: 2_000_000_000, version: 1 }),
    ).toMatchObject({
      status: 'too_high',
    });
    for (const wrong of ['0', '-1', '1e5', 'abc', '9'.repeat(30), '']) {
      expect(await changeOrderPrice(merchant, wrong, price), wrong).toEqual({ status: 'not_found' });
    }
    await db().order.update({
      where: { shard_id: { shard, id } },
      data: { status: 'paid', paidAt: new Date() },
    });
    expect(await changeOrderPrice(merchant, orderNo, price)).toEqual({ status: 'not_payable', is: 'paid' });
  });
});
