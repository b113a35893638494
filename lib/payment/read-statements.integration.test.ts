import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { charge, payFor, succeeded } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { verifyStatements } from '@/lib/verify/verify-statements';
import { applyPaymentEvent } from './apply-payment-event';
import { askLatePayments } from './ask-provider';
import { readStatements } from './read-statements';

const NOTHING = { noted: 0, asked: 0 };

beforeEach(async () => {
  await db().deadLetter.deleteMany();
  await db().statementMark.deleteMany();
  await db().sandboxPayment.deleteMany();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Makes the sandbox take money for a payment that is not ours. */
const takeForStranger = (paymentId: string) =>
  decideOutcome({ paymentId, orderNo: '1', amountMinor: 700, currency: 'EUR' }, 'succeeded');
/** Lets a minute pass. */
const wait = () => db().$executeRaw`UPDATE statement_marks SET claimed_at = now() - interval '61 seconds'`;
const letters = async () =>
  (await db().deadLetter.findMany({ orderBy: { id: 'asc' } })).map(({ consumer, error }) => [
    consumer,
    error,
  ]);

describe('readStatements', () => {
  it('[I1] money of a payment that is none of ours is put in front of a person, once, whatever was told of it', async () => {
    const order = await createOrderFixture();
    await payFor(order.orderNo);
    const stray = await succeeded(order.orderNo, { paymentId: 'pay_stray', webhookId: 'msg_stray_1' });
    expect(await applyPaymentEvent('sandbox', stray)).toBe('unknown_payment');
    // A callback told of this payment, but the provider's books do not hold it: there is nothing to do.
    expect(await readStatements()).toEqual({ lines: 1, ...NOTHING });
    expect((await verifyStatements()).ok).toBe(true);

    await takeForStranger('pay_stray');
    await wait();
    expect(await readStatements()).toEqual({ lines: 2, noted: 1, asked: 0 });
    await wait();
    await readStatements();
    const said = 'payment pay_stray is unknown here; sandbox says succeeded, 7.00 EUR';
    expect(await letters()).toEqual([['provider-books', said]]);
    expect(await verifyStatements()).toEqual({ ok: false, detail: said });
    await db()
      .$executeRaw`UPDATE dead_letters SET resolved_at = now(), resolution = 'discarded: another shop'`;
    await wait();
    expect(await readStatements()).toEqual({ lines: 2, ...NOTHING });
    expect(await verifyStatements()).toEqual({
      ok: true,
      detail: "2 payments on the providers' statements, all booked here",
    });
  });

  it('[I5 I1] money nobody was told of, for a payment nobody asks about, pays its order or goes back', async () => {
    const [exact, other] = [await createOrderFixture(), await createOrderFixture()];
    await charge(exact.orderNo);
    await charge(other.orderNo, { amountMinor: 5 });
    expect(await readStatements()).toEqual({ lines: 2, noted: 0, asked: 2 });
    expect(await askLatePayments()).toMatchObject({ applied: 2 });
    expect(await standOf(exact.orderNo)).toBe('paid, payment succeeded');
    expect(await standOf(other.orderNo)).toBe('cancelled, payment refund_due');
    await wait();
    expect(await readStatements()).toEqual({ lines: 2, ...NOTHING });
    expect(await letters()).toEqual([]);
  });

  it('[K5] ten workers at once read it once a minute, and go on where the last one stopped', async () => {
    await takeForStranger('pay_a');
    const read = await Promise.all(Array.from({ length: 10 }, readStatements));
    expect(read.filter(({ lines }) => lines > 0)).toHaveLength(1);
    expect(await readStatements()).toEqual({ lines: 0, ...NOTHING });
    await db().$executeRaw`UPDATE sandbox_payments SET decided_at = now() - interval '1 hour'`;
    await takeForStranger('pay_b');
    await wait();
    expect(await readStatements()).toEqual({ lines: 1, noted: 1, asked: 0 });
  });

  it('[I5] a statement longer than a page is read whole, also by verify', async () => {
    await db().$executeRaw`
      INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency, decided_at, refunded_at)
      SELECT 'pay_page_' || n, 'succeeded', 1, 'EUR', now() - interval '1 hour' + make_interval(secs => n / 10), now()
      FROM generate_series(1, 1234) AS n`;
    await takeForStranger('pay_last');
    expect(await readStatements()).toEqual({ lines: 1_235, noted: 1, asked: 0 });
    expect((await verifyStatements()).detail).toContain('payment pay_last is unknown here');
  });

  it('[I5] pages that are not in the order of their money are read again from where nothing was left out', async () => {
    const since: number[] = [];
    const madeAt = Date.now() - 30 * 60_000;
    const late = { paymentId: 'pay_late', status: 'succeeded', amountMinor: 1, currency: 'EUR' } as const;
    vi.spyOn(sandbox, 'readStatement').mockImplementation(async (sinceMs, after) => {
      since.push(sinceMs);
      if (after) throw new Error('down');
      return { lines: [{ ...late, at: madeAt + 20 * 60_000 }], next: 'on', readUntil: madeAt };
    });
    await readStatements();
    await wait();
    await readStatements();
    const [, , again] = since;
    expect(since).toHaveLength(4);
    expect(again).toBeLessThanOrEqual(madeAt);
  });

  it.each([
    ['a provider that is silent', 'error', new Error('down')],
    ['our own server', 'warn', Object.assign(new Error('x'), { code: '57P03' })],
  ] as const)('[J2 P11] a failure of %s is logged as what it is: %s', async (_, level, fault) => {
    const levels: string[] = [];
    for (const each of ['warn', 'error'] as const)
      vi.spyOn(log, each).mockImplementation(() => levels.push(each));
    vi.spyOn(sandbox, 'readStatement').mockRejectedValueOnce(fault);
    await readStatements();
    expect(levels).toEqual([level]);
  });

  it('[I5] a provider that fails is read from the same place a minute later', async () => {
    await takeForStranger('pay_c');
    const down = vi.spyOn(sandbox, 'readStatement').mockRejectedValueOnce(new Error('down'));
    expect(await readStatements()).toEqual({ lines: 0, ...NOTHING });
    expect(down).toHaveBeenCalledTimes(1);
    await wait();
    expect(await readStatements()).toEqual({ lines: 1, noted: 1, asked: 0 });
  });
});
