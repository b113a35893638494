import pLimit from 'p-limit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMPANIES, type Company } from '@/lib/contract/words/payment';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { OutageError } from '@/lib/errors/outage-error';
import { reachMollie } from './mollie/reach-mollie';
import { MollieStandIn } from './mollie/testing/mollie-stand-in';
import type { StatementLine } from './provider';
import { providerOf } from './providers';
import { ProviderSilentError, reachProvider } from './reach-provider';
import { reachStripe } from './stripe/reach-stripe';
import { StripeStandIn } from './stripe/testing/stripe-stand-in';
import type { StandIn } from './testing/stand-in';

/** The promises of each company's folder, tried with its real SDK against a server that behaves as the company says. */

const makeShop: Record<Company, () => StandIn> = {
  stripe: () => new StripeStandIn(),
  mollie: () => new MollieStandIn(),
};
const reach: Record<Company, (ask: () => Promise<unknown>) => Promise<unknown>> = {
  stripe: reachStripe,
  mollie: reachMollie,
};
const MONEY = { amountMinor: 1999, currency: 'EUR' };
let made = 1_000_000;
const newRef = () => {
  made += 1;
  const orderNo = String(made);
  return { paymentId: `pay_${orderNo}`, orderNo, ...MONEY };
};
type Ref = ReturnType<typeof newRef>;

afterAll(closeDb);

describe.each(COMPANIES)('%s', (name) => {
  let shop: StandIn;
  const provider = () => providerOf(name);
  const open = (ref: Ref, path = `/zh-CN/orders/${ref.orderNo}`) => provider().createRedirectUrl(ref, path);
  const openId = async (ref: Ref) => shop.idOf(await open(ref));
  const stateOf = ({ paymentId }: Ref) => provider().queryState(paymentId);
  /** Opens a payment and pays it. */
  async function paid(ref = newRef()) {
    const id = await openId(ref);
    shop.pay(id);
    return { ref, id };
  }

  beforeEach(async () => {
    await Promise.all([db().stripeSession.deleteMany(), db().molliePayment.deleteMany()]);
    shop = makeShop[name]();
    await shop.start();
  });
  afterEach(() => shop.stop());

  describe('a page to pay on', () => {
    it('[O4 I4] is the same for the same payment, asked again, at once, or in another language', async () => {
      const ref = newRef();
      const urls = await Promise.all([open(ref), open(ref), open(ref, `/orders/${ref.orderNo}`)]);
      expect(new Set([...urls, await open(ref)]).size).toBe(1);
      expect(shop.pages()).toEqual([shop.idOf(await open(ref))]);
    });

    it.each(['lost', 429, 500, 'twice'] as const)(
      '[O4 I4] is one although answers are: %s',
      async (fault) => {
        const ref = newRef();
        shop.faults.push(fault, fault, fault);
        const first = await open(ref).catch(() => null);
        shop.faults.splice(0);
        const url = await open(ref);
        expect(first ?? url).toBe(url);
        expect(shop.pages()).toEqual([shop.idOf(url)]);
      },
    );

    it('[O4 I4] is one although its answer was lost and the key is forgotten: nobody saw the other', async () => {
      const ref = newRef();
      shop.faults.push('lost', 'lost', 'lost');
      await expect(open(ref)).rejects.toThrow();
      shop.faults.splice(0);
      shop.forgetKeys();
      await shop.age(ref.paymentId, 2 * 3_600_000);
      const [url, again] = await Promise.all([open(ref), open(ref)]);
      expect(again).toBe(url);
      expect(shop.pages().at(-1)).toBe(shop.idOf(url));
    });

    it('[O4] that has expired is replaced by a new one, once; of money that is there it is the order’s page', async () => {
      const ref = newRef();
      shop.expire(await openId(ref));
      const [second, third] = await Promise.all([open(ref), open(ref)]);
      expect(second).toBe(third);
      expect(shop.pages()).toHaveLength(2);
      shop.pay(shop.idOf(second));
      expect(await open(ref, '/orders/1')).toBe(new URL('/orders/1', env().publicUrl).href);
      expect(shop.pages()).toHaveLength(2);
    });

    it('[O4] whose money was under way and did not come is replaced by a new one', async () => {
      const ref = newRef();
      const first = await openId(ref);
      shop.payLater(first);
      expect(await open(ref, '/orders/1')).toBe(new URL('/orders/1', env().publicUrl).href);
      shop.fail(first);
      const second = await openId(ref);
      expect(second).not.toBe(first);
      expect(await openId(ref)).toBe(second);
    });

    it('[O4 J1] that the company is silent about is no page, within the time of a provider', async () => {
      shop.faults.push('silent', 'silent', 'silent');
      const work = reachProvider(name, (asked) => asked.createRedirectUrl(newRef(), '/'), 500);
      await expect(work).rejects.toThrow('gave no answer');
    });
  });

  describe('the state of a payment', () => {
    it('[O4 I5] follows what the company holds', async () => {
      const ref = newRef();
      expect(await stateOf(ref)).toEqual({ status: 'unknown' });
      const id = await openId(ref);
      expect(await stateOf(ref)).toEqual({ status: 'unknown' });
      shop.payLater(id);
      expect(await stateOf(ref)).toEqual({ status: 'unknown' });
      shop.settle(id);
      expect(await stateOf(ref)).toEqual({ status: 'succeeded', ...MONEY });
      shop.sendBack(id, 500);
      expect(await stateOf(ref)).toEqual({
        status: 'succeeded',
        ...MONEY,
        amountMinor: 1499,
        returnedMinor: 500,
      });
      shop.dispute(id);
      expect(await stateOf(ref)).toMatchObject({ amountMinor: 1499, isDisputed: true });
    });

    it('[O4] is failed where the page has expired, or its money did not come', async () => {
      const [left, failed] = [newRef(), newRef()];
      shop.expire(await openId(left));
      const id = await openId(failed);
      shop.payLater(id);
      shop.fail(id);
      for (const ref of [left, failed]) expect(await stateOf(ref)).toEqual({ status: 'failed', ...MONEY });
    });

    it('[O4 I9] of many payments is read in a few questions, whatever else was sold meanwhile', async () => {
      const refs = Array.from({ length: 24 }, newRef);
      const limit = pLimit(4);
      const openAll = (some: Ref[]) => Promise.all(some.map((ref) => limit(() => open(ref))));
      await openAll(refs.slice(0, 12));
      for (const id of shop.pages()) shop.pay(id);
      for (let n = 0; n < 240; n += 1) shop.openElsewhere();
      await openAll(refs.slice(12));
      const before = shop.asked.length;
      const ids = [...refs, newRef()].map(({ paymentId }) => paymentId);
      const states = [...(await provider().queryStates(ids)).values()];
      expect(shop.asked.length - before).toBeLessThanOrEqual(4);
      const count = (status: string) => states.filter((state) => state.status === status).length;
      expect([count('succeeded'), count('unknown')]).toEqual([12, 12]);
    });
  });

  describe('a failure', () => {
    it('[O4 P1] on the way to the company is no outage of ours', async () => {
      await shop.shutDown();
      const failure = await reachProvider(name, (asked) => asked.createRedirectUrl(newRef(), '/')).catch(
        (error) => error,
      );
      expect(failure).toBeInstanceOf(ProviderSilentError);
      expect(isOutage(failure)).toBe(false);
      const { isOurFault } = provider();
      expect(isOurFault?.(new OutageError('it gave no answer within 10000 ms'))).toBe(false);
      expect(isOurFault?.(Object.assign(new Error('x'), { code: 'P1001' }))).toBe(true);
    });

    it('[O4] by the key of another account books nothing, and says so', async () => {
      const { ref } = await paid();
      shop.clear();
      for (const ask of [() => stateOf(ref), () => open(ref), () => provider().refund(ref)])
        await expect(ask()).rejects.toMatchObject({ name: 'ProviderFault', status: 404 });
    });

    it('[O4 P1] by too many at once: a few at a time, some wait, the others are refused at once', async () => {
      let [underWay, most, tooMany] = [0, 0, 20];
      const ask = () =>
        reach[name](async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise(setImmediate);
          underWay -= 1;
          tooMany -= 1;
          if (tooMany >= 0) throw Object.assign(new Error('slow down'), { statusCode: 429 });
        });
      const asked = await Promise.allSettled(Array.from({ length: 700 }, ask));
      const refused = asked.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      expect(refused).toHaveLength(200);
      const { brand } = provider();
      expect(new Set(refused)).toEqual(new Set([`ProviderFault: too many questions wait for ${brand}`]));
      expect(most).toBe(16);
    });
  });

  describe('a refund', () => {
    it('[O4 I4] happens once, however often it is asked for, also at once', async () => {
      const { ref } = await paid();
      await Promise.all([provider().refund(ref), provider().refund(ref)]);
      await provider().refund(ref);
      shop.forgetKeys();
      await provider().refund(ref);
      expect(shop.refunds).toEqual([{ amountMinor: 1999 }]);
      expect(await stateOf(ref)).toEqual({ status: 'refunded', ...MONEY });
    });

    it('[O4 I4] whose answer was lost happens once', async () => {
      const { ref } = await paid();
      shop.faults.push('none', 'lost', 'lost', 'lost');
      await provider()
        .refund(ref)
        .catch(() => {});
      shop.faults.splice(0);
      shop.forgetKeys();
      await provider().refund(ref);
      expect(shop.refunds).toHaveLength(1);
    });

    it('[O4] of money that the company does not hold is an error', async () => {
      const { ref } = await paid();
      await expect(provider().refund({ ...ref, amountMinor: 2_000 })).rejects.toThrow();
      await expect(provider().refund(newRef())).rejects.toThrow('holds nothing');
      expect(shop.refunds).toEqual([]);
    });

    it('[O4 I9 E5] finds money that a restored database does not know, once the statement was read', async () => {
      const { ref } = await paid();
      await shop.forgetPage(ref.paymentId);
      await provider().readStatement(Date.now() - 60_000);
      expect(await stateOf(ref)).toEqual({ status: 'succeeded', ...MONEY });
      await provider().refund(ref);
      expect(await stateOf(ref)).toMatchObject({ status: 'refunded' });
    });
  });

  describe('the statement', () => {
    async function readAll(sinceMs: number): Promise<StatementLine[][]> {
      const pages: StatementLine[][] = [];
      let next: string | undefined;
      do {
        const page = await provider().readStatement(sinceMs, next);
        pages.push(page.lines);
        next = page.next ?? undefined;
      } while (next !== undefined);
      return pages;
    }

    it('[O4 I9] lists the money of this shop alone, oldest first, in pages that are bounded', async () => {
      const first = Math.floor(Date.now() / 1_000 - 40 * 86_400) * 1_000;
      const took = Array.from({ length: 1_300 }, (_, n) => ({
        paymentId: `pay_${n}`,
        at: first + n * 1_000,
      }));
      for (const { paymentId, at } of took) shop.takeElsewhere(at, paymentId);
      shop.takeElsewhere(Date.now() - 5_000);
      const pages = await readAll(0);
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(500);
      expect(pages.flat().map(({ paymentId }) => paymentId)).toEqual(took.map(({ paymentId }) => paymentId));
      expect(pages.flat()[0]).toEqual({
        paymentId: 'pay_0',
        status: 'succeeded',
        amountMinor: 100,
        currency: 'EUR',
        at: first,
      });
      expect((await readAll(first + 1_299_000)).flat()).toHaveLength(1);
    });

    it('[O4 I9] shows what was sent back, and more in one second than a page has', async () => {
      const now = Date.now();
      for (let n = 0; n < 700; n += 1) shop.takeElsewhere(now - 100_000, `pay_${n}`);
      const { ref, id } = await paid();
      shop.sendBack(id, 500);
      const lines = (await readAll(now - 200_000)).flat();
      expect(lines).toHaveLength(701);
      expect(lines.at(-1)).toMatchObject({ paymentId: ref.paymentId, amountMinor: 1499, returnedMinor: 500 });
    });
  });
});
