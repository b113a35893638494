import pLimit from 'p-limit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { OutageError } from '@/lib/errors/outage-error';
import { newId } from '@/lib/ids/new-id';
import type { StatementLine } from '../provider';
import { ProviderSilentError, reachProvider } from '../reach-provider';
import { stripe } from './provider';
import { reachStripe } from './reach-stripe';
import { STRIPE_SECRETS, StripeStandIn } from './testing/stripe-stand-in';

let shop: StripeStandIn;

beforeAll(async () => {
  await db().stripeSession.deleteMany();
});
beforeEach(async () => {
  shop = new StripeStandIn();
  Object.assign(env(), { stripe: { ...STRIPE_SECRETS, isLive: false, apiUrl: await shop.start() } });
});
afterEach(async () => {
  Object.assign(env(), { stripe: null });
  await shop.stop();
});
afterAll(closeDb);

const newRef = () => {
  const id = newId('test');
  return { paymentId: `pay_${id}`, orderNo: id, amountMinor: 1999, currency: 'EUR' };
};
type Ref = ReturnType<typeof newRef>;
const open = (ref: Ref, path = `/zh-CN/orders/${ref.orderNo}`) => stripe.createRedirectUrl(ref, path);
const idOf = (url: string) => new URL(url).pathname.slice('/page/'.length);
/** Opens a payment and pays it. */
async function paid(ref = newRef()) {
  const id = idOf(await open(ref));
  return { ref, id, session: shop.pay(id) };
}

describe('a page to pay on', () => {
  it('[O4 I4] is the same for the same payment, asked again, at once, or in another language', async () => {
    const ref = newRef();
    const urls = await Promise.all([open(ref), open(ref), open(ref, `/orders/${ref.orderNo}`)]);
    expect(new Set([...urls, await open(ref)]).size).toBe(1);
    expect([...shop.sessions.values()]).toMatchObject([
      {
        client_reference_id: ref.paymentId,
        amount_total: 1999,
        currency: 'eur',
        metadata: { paymentId: ref.paymentId, orderNo: ref.orderNo },
      },
    ]);
  });

  it.each(['lost', 429] as const)('[O4 I4] is one although an answer is: %s', async (fault) => {
    shop.faults.push(fault, fault);
    await open(newRef());
    expect(shop.sessions.size).toBe(1);
  });

  it('[O4 I4] is there at the next try, though Stripe repeats a fault of its own to the same key', async () => {
    const ref = newRef();
    shop.faults.push(500);
    await expect(open(ref)).rejects.toThrow('api_error');
    expect(idOf(await open(ref))).toBe([...shop.sessions.keys()].join());
  });

  it('[O4] that has expired is replaced by a new one, once; of money that is there it is the order’s page', async () => {
    const ref = newRef();
    const first = idOf(await open(ref));
    shop.expire(first);
    const [second, third] = await Promise.all([open(ref), open(ref)]);
    expect(second).toBe(third);
    expect(shop.sessions.size).toBe(2);
    shop.pay(idOf(second));
    expect(await open(ref, '/orders/1')).toBe(new URL('/orders/1', env().publicUrl).href);
    expect(shop.sessions.size).toBe(2);
  });

  it('[O4] whose money was under way and did not come is replaced by a new one', async () => {
    const ref = newRef();
    const first = idOf(await open(ref));
    shop.pay(first, 'bank');
    const orderPage = new URL(`/zh-CN/orders/${ref.orderNo}`, env().publicUrl).href;
    expect(await open(ref)).toBe(orderPage);
    shop.fail(first);
    const second = await open(ref);
    expect(shop.sessions.get(idOf(second))).toMatchObject({ status: 'open' });
    expect(await open(ref)).toBe(second);
  });

  it('[O4] that Stripe never made is asked for anew, with a time that Stripe accepts', async () => {
    const ref = newRef();
    const claimedAt = new Date(Date.now() - 20 * 60_000);
    await db().stripeSession.create({
      data: { paymentId: ref.paymentId, title: 'x', returnUrl: 'http://x.test/', claimedAt },
    });
    expect(shop.sessions.has(idOf(await open(ref)))).toBe(true);
  });

  it('[O4 J1] that Stripe is silent about is no page, within the time of a provider', async () => {
    shop.faults.push('silent', 'silent', 'silent');
    const work = reachProvider('stripe', (provider) => provider.createRedirectUrl(newRef(), '/'), 500);
    await expect(work).rejects.toThrow('gave no answer');
  });

  it('[O4] for less than Stripe takes is an error that says so', async () => {
    await expect(open({ ...newRef(), amountMinor: 1 })).rejects.toThrow('amount_too_small');
  });
});

describe('the state of a payment', () => {
  it('[O4 I5] follows what Stripe holds', async () => {
    const ref = newRef();
    const money = { amountMinor: 1999, currency: 'EUR' };
    const now = () => stripe.queryState(ref.paymentId);
    expect(await now()).toEqual({ status: 'unknown' });
    const id = idOf(await open(ref));
    shop.decline(id);
    expect(await now()).toEqual({ status: 'unknown' });
    shop.pay(id, 'bank');
    expect(await now()).toEqual({ status: 'unknown' });
    shop.fail(id);
    expect(await now()).toEqual({ status: 'failed', ...money });
    const { charge } = shop.settle(id, 'payment').intent;
    expect(await now()).toEqual({ status: 'succeeded', ...money });
    if (charge) charge.amount_refunded = 500;
    expect(await now()).toEqual({
      status: 'succeeded',
      amountMinor: 1499,
      returnedMinor: 500,
      currency: 'EUR',
    });
    await stripe.refund({ ...ref, amountMinor: 1499 });
    expect(await now()).toEqual({ status: 'refunded', ...money });
  });

  it('[O4] is failed where the page has expired', async () => {
    const ref = newRef();
    shop.expire(idOf(await open(ref)));
    expect(await stripe.queryState(ref.paymentId)).toMatchObject({ status: 'failed' });
  });

  it('[O4 I9] of many payments is read in a few questions, whatever else was sold meanwhile', async () => {
    const refs = Array.from({ length: 300 }, newRef);
    const limit = pLimit(10);
    await Promise.all(refs.map((ref) => limit(() => open(ref))));
    for (const { id } of [...shop.sessions.values()].slice(0, 100)) shop.pay(id);
    shop.asked.length = 0;
    const states = await stripe.queryStates([
      ...refs.slice(0, 200).map(({ paymentId }) => paymentId),
      'pay_none',
    ]);
    expect(states.size).toBe(200);
    const paidCount = [...states.values()].filter(({ status }) => status === 'succeeded').length;
    expect(paidCount).toBeGreaterThan(0);
    expect(shop.asked.length).toBeLessThanOrEqual(4);
  });
});

describe('a failure', () => {
  it('[O4 P1] on the way to Stripe is no outage of ours', async () => {
    await shop.stop();
    const failure = await reachProvider('stripe', (asked) => asked.createRedirectUrl(newRef(), '/')).catch(
      (error) => error,
    );
    expect(failure).toBeInstanceOf(ProviderSilentError);
    expect(isOutage(failure)).toBe(false);
    expect(stripe.isOurs?.(new OutageError('stripe gave no answer within 10000 ms'))).toBe(false);
    expect(stripe.isOurs?.(Object.assign(new Error('x'), { code: 'P1001' }))).toBe(true);
    await shop.start();
  });

  it('[O4] by the key of another account books nothing, and says so', async () => {
    const { ref } = await paid();
    shop.sessions.clear();
    await expect(stripe.queryState(ref.paymentId)).rejects.toThrow('resource_missing');
    await expect(open(ref)).rejects.toThrow('resource_missing');
    await expect(stripe.refund(ref)).rejects.toThrow('resource_missing');
  });

  it('[O4 P1] by too many at once: a few at a time, some wait, the others are refused at once', async () => {
    shop.faults.push(...Array.from({ length: 20 }, () => 429 as const));
    let [underWay, most] = [0, 0];
    const ask = () =>
      reachStripe((client) => {
        underWay += 1;
        most = Math.max(most, underWay);
        return client.balanceTransactions.list({ limit: 1 }).finally(() => {
          underWay -= 1;
        });
      });
    const asked = await Promise.allSettled(Array.from({ length: 700 }, ask));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused).toHaveLength(200);
    expect(new Set(refused)).toEqual(new Set(['StripeFault: too many questions wait for Stripe']));
    expect(most).toBe(16);
  });
});

describe('a refund', () => {
  it('[O4 I4] happens once, however often it is asked for, also at once', async () => {
    const { ref } = await paid();
    await Promise.all([stripe.refund(ref), stripe.refund(ref)]);
    await stripe.refund(ref);
    expect(shop.refunds).toMatchObject([{ amount: 1999 }]);
  });

  it('[O4 I4] whose answer was lost happens once', async () => {
    const { ref } = await paid();
    await stripe.queryState(ref.paymentId);
    // The first answer reads the session.
    shop.faults.push(500, 'lost');
    await stripe.refund(ref);
    expect(shop.refunds).toHaveLength(1);
  });

  it('[O4 I9 E5] finds money whose session a restored database does not know', async () => {
    const ref = newRef();
    const id = idOf(await open(ref));
    for (let n = 0; n < 5; n += 1) shop.decline(id);
    shop.pay(id);
    await db().stripeSession.delete({ where: { paymentId: ref.paymentId } });
    expect(await stripe.queryState(ref.paymentId)).toMatchObject({ status: 'succeeded', amountMinor: 1999 });
    await stripe.refund(ref);
    expect(await stripe.queryState(ref.paymentId)).toMatchObject({ status: 'refunded' });
  });

  it('[O4] of money that Stripe does not hold is an error', async () => {
    const { ref } = await paid();
    await expect(stripe.refund({ ...ref, amountMinor: 2_000 })).rejects.toThrow('amount_too_large');
    await expect(stripe.refund(newRef())).rejects.toThrow('holds nothing');
    expect(shop.refunds).toEqual([]);
  });
});

describe('the statement', () => {
  async function readAll(sinceMs: number): Promise<StatementLine[][]> {
    const pages: StatementLine[][] = [];
    let next: string | undefined;
    do {
      const page = await stripe.readStatement(sinceMs, next);
      pages.push(page.lines);
      next = page.next ?? undefined;
    } while (next !== undefined);
    return pages;
  }

  it('[O4 I9] lists the money of this shop alone, oldest first, in pages that are bounded', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const took = Array.from({ length: 1_300 }, (_, n) => ({
      paymentId: `pay_${n}`,
      at: now - 40 * 86_400 + n,
    }));
    for (const { paymentId, at } of took) shop.takeElsewhere(at, { paymentId });
    shop.takeElsewhere(now - 5);
    const pages = await readAll(0);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(500);
    const lines = pages.flat();
    expect(lines.map(({ paymentId }) => paymentId)).toEqual(took.map(({ paymentId }) => paymentId));
    expect(lines[0]).toEqual({
      paymentId: 'pay_0',
      status: 'succeeded',
      amountMinor: 100,
      currency: 'EUR',
      at: (now - 40 * 86_400) * 1_000,
    });
    expect((await readAll((now - 40 * 86_400 + 1_299) * 1_000)).flat()).toHaveLength(1);
  });

  it('[O4 I9] shows what was sent back, and more in one second than a page has', async () => {
    const { ref } = await paid();
    await stripe.refund(ref);
    const now = Math.floor(Date.now() / 1_000);
    for (let n = 0; n < 700; n += 1) shop.takeElsewhere(now - 100, { paymentId: `pay_${n}` });
    const lines = (await readAll((now - 200) * 1_000)).flat();
    expect(lines).toHaveLength(701);
    expect(lines.at(-1)).toMatchObject({ paymentId: ref.paymentId, status: 'refunded', amountMinor: 1999 });
  });
});
