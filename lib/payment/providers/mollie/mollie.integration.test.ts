import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { mollie } from './provider';
import { reachMollie } from './reach-mollie';
import { MollieStandIn } from './testing/mollie-stand-in';
import { verifyWebhook } from './verify-webhook';

/** The promises that are Mollie's alone; `companies.integration.test.ts` has those of every company. */

let shop: MollieStandIn;
const { publicUrl } = env();

beforeEach(async () => {
  await db().molliePayment.deleteMany();
  shop = new MollieStandIn();
  await shop.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  Object.assign(env(), { publicUrl });
  await shop.stop();
});
afterAll(closeDb);

let made = 1_000_000;
const newRef = (money = {}) => {
  made += 1;
  return { paymentId: `pay_${made}`, orderNo: String(made), amountMinor: 1999, currency: 'EUR', ...money };
};
type Ref = ReturnType<typeof newRef>;
const open = (ref: Ref) => mollie.createRedirectUrl(ref, `/zh-CN/orders/${ref.orderNo}`);
const openId = async (ref: Ref) => shop.idOf(await open(ref));
async function paid(ref = newRef()) {
  const id = await openId(ref);
  shop.pay(id);
  return { ref, id };
}

describe('a page to pay on', () => {
  it('[O4] names our payment and the order’s page, and where callbacks come if Mollie can reach that', async () => {
    const [local, open2] = [newRef(), newRef()];
    const payment = shop.payment(await openId(local));
    expect(payment).toMatchObject({
      metadata: { paymentId: local.paymentId, orderNo: local.orderNo, attempt: 1 },
      redirectUrl: new URL(`/zh-CN/orders/${local.orderNo}`, publicUrl).href,
    });
    expect(payment.webhookUrl).toBeUndefined();
    Object.assign(env(), { publicUrl: 'https://shop.example.com' });
    const { webhookUrl } = shop.payment(await openId(open2));
    expect(webhookUrl).toBe('https://shop.example.com/api/payments/webhooks/mollie');
  });

  it.each([
    ['JPY', 500, '500'],
    ['ISK', 5, '5'],
    ['HUF', 199_900, '1999.00'],
  ])('[O4 F4] asks for %s as ISO 4217 writes it', async (currency, amountMinor, value) => {
    const ref = newRef({ currency, amountMinor });
    const { id } = await paid(ref);
    expect(shop.bodies.at(0)).toMatchObject({ amount: { currency, value } });
    expect(await mollie.queryState(ref.paymentId)).toEqual({ status: 'succeeded', currency, amountMinor });
    expect(id).toMatch(/^tr_/);
  });

  it('[O4] in a currency that Mollie does not take is an error that says so', async () => {
    await expect(open(newRef({ currency: 'KWD', amountMinor: 1_500 }))).rejects.toThrow(
      'no payment method takes this currency',
    );
  });

  it('[O4] that the shopper left is replaced by a new one; an authorization is no money yet', async () => {
    const ref = newRef();
    shop.cancel(await openId(ref));
    const second = await openId(ref);
    shop.authorize(second);
    expect(await mollie.queryState(ref.paymentId)).toEqual({ status: 'unknown' });
    expect(await open(ref)).toBe(new URL(`/zh-CN/orders/${ref.orderNo}`, publicUrl).href);
    shop.settle(second);
    expect(await mollie.queryState(ref.paymentId)).toMatchObject({ status: 'succeeded' });
    expect(shop.pages()).toHaveLength(2);
  });
});

describe('many payments', () => {
  it('[O4 I9] are read from the list, but for those of which money is under way back', async () => {
    const all = await Promise.all(Array.from({ length: 9 }, () => paid()));
    const [first] = all;
    if (!first) throw new Error('no payment');
    await mollie.refund(first.ref);
    shop.asked.splice(0);
    const states = await mollie.queryStates(all.map(({ ref }) => ref.paymentId));
    const statuses = all.map(({ ref }) => states.get(ref.paymentId)?.status);
    expect(statuses).toEqual(['refunded', ...Array.from({ length: 8 }, () => 'succeeded')]);
    expect(shop.asked).toHaveLength(2);
  });
});

describe('a question', () => {
  it('[O4 P1] that gets no answer ends with its connection, and what the SDK would ask later is never sent', async () => {
    vi.spyOn(await import('@/lib/time-limits'), 'limitMs').mockReturnValue(300);
    shop.faults.push('silent');
    await expect(mollie.readStatement(Date.now())).rejects.toMatchObject({ name: 'ProviderFault' });
    await expect.poll(shop.connections).toBe(0);
    shop.retryAfter = 1;
    shop.faults.push(500);
    const late = new Promise<unknown>((done) => {
      void reachMollie((client) => {
        const work = client.payments.page({});
        work.catch(done);
        return work;
      }).catch(() => {});
    });
    expect(await late).toMatchObject({ message: expect.stringContaining('no answer in time') });
    expect(shop.asked.length).toBeLessThanOrEqual(2);
  });
});

describe('a redirect', () => {
  it('[N8 O4] to another address is not followed', async () => {
    shop.redirectTo = `${shop.url.replace('127.0.0.1', 'localhost')}/v2/payments`;
    await expect(mollie.readStatement(Date.now())).rejects.toThrow('sends elsewhere');
    expect(shop.asked).toHaveLength(1);
  });
});

describe('a refund', () => {
  it('[O4 I4] goes once, though Mollie sends back more than was paid, says so late, and forgets keys', async () => {
    const { ref } = await paid(newRef({ amountMinor: 500 }));
    await mollie.refund(ref);
    shop.forgetKeys();
    await mollie.refund(ref);
    expect(shop.refunds).toEqual([{ amountMinor: 500 }]);
    expect(await mollie.queryState(ref.paymentId)).toMatchObject({ status: 'refunded', amountMinor: 500 });
  });

  it('[O4 I4] of all and of two parts, sent at the same moment, are one of them', async () => {
    const { ref } = await paid();
    const part = { ...ref, amountMinor: 500, key: 'part 1' };
    shop.meet = 3;
    const all = [mollie.refundPart(part), mollie.refund(ref), mollie.refundPart({ ...part, key: 'part 2' })];
    const results = await Promise.allSettled(all);
    expect(shop.refunds).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  it('[O4 F1] of a part goes once for its key, also after Mollie has forgotten it', async () => {
    const { ref } = await paid();
    const part = { ...ref, amountMinor: 500, key: 'part 1' };
    expect(await mollie.refundPart(part)).toEqual({ status: 'sent' });
    shop.forgetKeys();
    expect(await mollie.refundPart(part)).toEqual({ status: 'sent' });
    expect(shop.refunds).toEqual([{ amountMinor: 500 }]);
  });

  it('[O4] that failed at the bank is held again, and its key sends nothing any more', async () => {
    const { ref } = await paid();
    const part = { ...ref, amountMinor: 500, key: 'part 1' };
    await mollie.refundPart(part);
    shop.sendRefunds('failed');
    expect(await mollie.queryState(ref.paymentId)).toMatchObject({ status: 'succeeded', amountMinor: 1999 });
    expect(await mollie.refundPart(part)).toMatchObject({ status: 'refused' });
    expect(await mollie.refundPart({ ...part, key: 'part 2' })).toEqual({ status: 'sent' });
  });

  it('[O4 I4] of which Mollie says that the same is under way is tried again, by the same key', async () => {
    const { ref } = await paid();
    const part = { ...ref, amountMinor: 500, key: 'part 1' };
    shop.faults.push('none', 'twice');
    await expect(mollie.refundPart(part)).rejects.toMatchObject({ status: 409 });
    expect(await mollie.refundPart(part)).toEqual({ status: 'sent' });
    shop.faults.push('none', 'twice');
    await expect(mollie.refund({ ...ref, amountMinor: 1499 })).rejects.toMatchObject({ status: 409 });
    await mollie.refund({ ...ref, amountMinor: 1499 });
    expect(shop.refunds).toEqual([{ amountMinor: 500 }, { amountMinor: 1499 }]);
  });

  it('[O4 I4] is not sent by what Mollie said long ago: the process stood still meanwhile', async () => {
    const { ref } = await paid();
    const now = vi.spyOn(Date, 'now');
    const part = { ...ref, amountMinor: 500, key: 'part 1' };
    now.mockReturnValueOnce(Date.now() - 11 * 60_000);
    await expect(mollie.refundPart(part)).rejects.toThrow('too old');
    expect(shop.refunds).toEqual([]);
  });
});

describe('the statement', () => {
  it('[O4 I9] begins near its moment, at a payment that this shop knows', async () => {
    for (let n = 0; n < 600; n += 1) shop.takeElsewhere(Date.now() - 86_400_000 + n, `pay_${n}`);
    for (let next: string | null | undefined; next !== null; )
      ({ next } = await mollie.readStatement(0, next ?? undefined));
    const { ref } = await paid();
    shop.asked.splice(0);
    const page = await mollie.readStatement(Date.now() - 60_000);
    expect(page).toMatchObject({ lines: [{ paymentId: ref.paymentId, amountMinor: 1999 }], next: null });
    expect(shop.asked).toHaveLength(1);
  });

  it('[O4 I9] has money of a payment that was made up to an hour before, and others after it', async () => {
    const { ref, id } = await paid();
    const later = newRef();
    await open(later);
    const moments = [
      [ref.paymentId, 59],
      [later.paymentId, 30],
    ] as const;
    for (const [paymentId, minutes] of moments) {
      const at = Date.now() - minutes * 60_000;
      const data = { createdAt: new Date(at) };
      const { pageId } = await db().molliePayment.update({ where: { paymentId }, data });
      shop.payment(pageId ?? id).at = at;
    }
    const { lines } = await mollie.readStatement(Date.now() - 60_000);
    expect(lines).toMatchObject([{ paymentId: ref.paymentId }]);
  });

  it('[O4 I5] is read up to where its next page begins, though a payment of the first was paid later than that', async () => {
    const began = Date.now() - 30 * 60_000;
    for (let n = 0; n < 251; n += 1) shop.takeElsewhere(began + n * 1_000, `pay_${n}`);
    const [first = ''] = shop.pages();
    shop.payment(first).paidAt = Date.now();
    const page = await mollie.readStatement(0);
    expect(page.lines.at(-1)).toMatchObject({ paymentId: 'pay_0' });
    const rest = await mollie.readStatement(0, page.next ?? '');
    expect(rest).toMatchObject({ lines: [{ paymentId: 'pay_250' }], next: null });
    expect(page.readUntil).toBeLessThanOrEqual(rest.lines[0]?.at ?? 0);
    expect(page.readUntil).toBe(began + 249_000);
  });

  it('[O4 I9 E5] lets a restored database know a later page than it has', async () => {
    const ref = newRef();
    const before = await openId(ref);
    const row = await db().molliePayment.findUniqueOrThrow({ where: { paymentId: ref.paymentId } });
    shop.expire(before);
    shop.pay(await openId(ref));
    await db().molliePayment.update({ where: { paymentId: ref.paymentId }, data: row });
    expect(await mollie.queryState(ref.paymentId)).toMatchObject({ status: 'failed' });
    await mollie.readStatement(Date.now() - 60_000);
    expect(await mollie.queryState(ref.paymentId)).toMatchObject({ status: 'succeeded' });
  });
});

describe('a callback', () => {
  const body = (id: string) => new URLSearchParams({ id }).toString();

  it.each([
    ['nothing', ''],
    ['JSON', '{"id":"tr_1"}'],
    ['another kind of id', 'id=ord_1'],
    ['an endless id', `id=tr_${'a'.repeat(60_000)}`],
    ['a path', 'id=tr_1%2F..%2Frefunds'],
    ['a zero byte', 'id=tr_1%00'],
    ['half a character', 'id=tr_%ED%A0%80'],
  ])('[F5 O4] with %s is malformed, and nobody is asked', async (_, raw) => {
    expect(await verifyWebhook(raw)).toMatchObject({ status: 'malformed' });
    expect(shop.asked).toEqual([]);
  });

  it('[F5 O4] with an id of nobody, or of another shop of the account, is none of ours: Mollie is not asked', async () => {
    shop.takeElsewhere(Date.now());
    for (const id of ['tr_nobody', ...shop.pages()])
      expect(await verifyWebhook(body(id))).toEqual({ status: 'not_ours' });
    expect(shop.asked).toEqual([]);
  });

  it('[I1 O4] says what Mollie says, whoever sent it, and keeps nobody’s name or address', async () => {
    const ref = newRef();
    const id = await openId(ref);
    const { paymentId } = ref;
    const event = async () => {
      const verdict = await verifyWebhook(body(id));
      if (verdict.status !== 'authentic') throw new Error(verdict.status);
      expect(verdict.event).toMatchObject({ paymentId, amountMinor: 1999, currency: 'EUR' });
      return verdict.event;
    };
    expect((await event()).type).toBe('payment.open');
    shop.pay(id);
    const first = await event();
    expect(first.type).toBe('payment.succeeded');
    expect((await event()).webhookId).toBe(first.webhookId);
    expect(JSON.stringify(first)).not.toMatch(/ada/i);
    shop.sendBack(id, 500);
    const refund = await event();
    expect(refund.type).toBe('payment.refunded');
    expect(refund.webhookId).not.toBe(first.webhookId);
    const failures = new Set<string>();
    for (let turn = 0; turn < 2; turn += 1) {
      shop.sendBack(id, 500);
      shop.failRefunds(id);
      const failure = await event();
      expect(failure.type).toBe('payment.refund_failed');
      failures.add(failure.webhookId);
    }
    expect(failures.size).toBe(2);
    shop.dispute(id);
    expect((await event()).type).toBe('payment.disputed');
    const left = await openId(newRef());
    shop.cancel(left);
    expect(await verifyWebhook(body(left))).toMatchObject({ event: { type: 'payment.failed' } });
  });

  it('[F5 O4] that a crowd sends costs fewer questions than callbacks, and gets an answer that is no older', async () => {
    const id = await openId(newRef());
    shop.asked.splice(0);
    const early = Array.from({ length: 200 }, () => verifyWebhook(body(id)));
    await expect.poll(() => shop.asked.length).toBeGreaterThan(0);
    shop.pay(id);
    const late = await Promise.all(Array.from({ length: 200 }, () => verifyWebhook(body(id))));
    await Promise.all(early);
    expect(shop.asked.length).toBeLessThan(200);
    for (const verdict of late) expect(verdict).toMatchObject({ event: { type: 'payment.succeeded' } });
  });

  it('[F5 O4] that Mollie can’t be asked about is an error, and the next one works', async () => {
    const id = await openId(newRef());
    shop.faults.push('lost');
    await expect(verifyWebhook(body(id))).rejects.toMatchObject({ name: 'ProviderFault' });
    expect(await verifyWebhook(body(id))).toMatchObject({ status: 'authentic' });
  });
});
