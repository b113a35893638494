import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { stripe } from './provider';
import { StripeStandIn } from './testing/stripe-stand-in';

/** The promises that are Stripe's alone; `companies.integration.test.ts` has those of every company. */

let shop: StripeStandIn;

beforeEach(async () => {
  await db().stripeSession.deleteMany();
  shop = new StripeStandIn();
  await shop.start();
});
afterEach(() => shop.stop());
afterAll(closeDb);

const newRef = () => {
  const id = newId('test');
  return { paymentId: `pay_${id}`, orderNo: id, amountMinor: 1999, currency: 'EUR' };
};
type Ref = ReturnType<typeof newRef>;
const open = (ref: Ref) => stripe.createRedirectUrl(ref, `/zh-CN/orders/${ref.orderNo}`);
const openId = async (ref: Ref) => shop.idOf(await open(ref));

describe('a page to pay on', () => {
  it('[O4 I4] names our payment in session and charge', async () => {
    const ref = newRef();
    await open(ref);
    expect([...shop.sessions.values()]).toMatchObject([
      {
        client_reference_id: ref.paymentId,
        amount_total: 1999,
        currency: 'eur',
        metadata: { paymentId: ref.paymentId, orderNo: ref.orderNo },
      },
    ]);
  });

  it.each(['lost', 429] as const)(
    '[O4 I4] is there at the first try although two answers are: %s',
    async (fault) => {
      shop.faults.push(fault, fault);
      await open(newRef());
      expect(shop.sessions.size).toBe(1);
    },
  );

  it('[O4 I4] is there at the next try, though Stripe repeats a fault of its own to the same key', async () => {
    const ref = newRef();
    shop.faults.push(500);
    await expect(open(ref)).rejects.toThrow('api_error');
    expect(await openId(ref)).toBe([...shop.sessions.keys()].join());
  });

  it('[O4] that Stripe never made is asked for anew, with a time that Stripe accepts', async () => {
    const ref = newRef();
    const claimedAt = new Date(Date.now() - 20 * 60_000);
    await db().stripeSession.create({
      data: { paymentId: ref.paymentId, title: 'x', returnUrl: 'http://x.test/', claimedAt },
    });
    expect(shop.sessions.has(await openId(ref))).toBe(true);
  });

  it('[O4] for less than Stripe takes is an error that says so', async () => {
    await expect(open({ ...newRef(), amountMinor: 1 })).rejects.toThrow('amount_too_small');
  });
});

describe('money', () => {
  it('[O4 I5] that failed and came after all is held, by a way that is no card', async () => {
    const ref = newRef();
    const id = await openId(ref);
    shop.decline(id);
    expect(await stripe.queryState(ref.paymentId)).toEqual({ status: 'unknown' });
    shop.payLater(id);
    shop.fail(id);
    shop.settle(id, 'payment');
    expect(await stripe.queryState(ref.paymentId)).toMatchObject({ status: 'succeeded', amountMinor: 1999 });
  });

  it('[O4 I9 E5] whose session a restored database does not know is found by Stripe’s search', async () => {
    const ref = newRef();
    const id = await openId(ref);
    for (let n = 0; n < 5; n += 1) shop.decline(id);
    shop.pay(id);
    await shop.forgetPage(ref.paymentId);
    expect(await stripe.queryState(ref.paymentId)).toMatchObject({ status: 'succeeded', amountMinor: 1999 });
    await stripe.refund(ref);
    expect(await stripe.queryState(ref.paymentId)).toMatchObject({ status: 'refunded' });
  });

  it('[O4] that Stripe does not hold is not sent back, says Stripe', async () => {
    const ref = newRef();
    shop.pay(await openId(ref));
    await expect(stripe.refund({ ...ref, amountMinor: 2_000 })).rejects.toThrow('amount_too_large');
  });
});
