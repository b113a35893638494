import { describe, expect, it } from 'vitest';
import { type Books, judgeRehearsal } from './judge-rehearsal';
import { type PlannedShopper, type Press, planCrowd } from './plan-crowd';
import type { Answered } from './run-crowd';

const sale = { totalStock: 2, limitPerUser: 1, variants: [] };
const press = (n: number, more: Partial<Press> = {}): Press => ({
  atMs: n * 100,
  userId: `u${n}`,
  jti: `j${n}`,
  address: `10.0.0.${n}`,
  quantity: 1,
  variant: 0,
  knowsGate: true,
  ...more,
});
const answered = (n: number, status: string, more: Partial<Answered> = {}): Answered => ({
  press: press(n),
  status,
  latencyMs: 10 + n,
  answeredMs: n * 100 + 10 + n,
  ...(status === 'accepted' || status === 'replayed' ? { orderNo: String(n) } : {}),
  ...more,
});
const crowdOf = (answers: readonly Answered[]): PlannedShopper[] =>
  answers.map(({ press: one }) => ({ userId: one.userId, presses: [one], willPay: true, isReserved: true }));
const BOOKS: Books = {
  startsAt: 1_000,
  afterCrowd: { stock: { total: 2, available: 0, held: 2, sold: 0 }, inMessages: 2, mostPerUser: 1 },
  afterPayment: { total: 2, available: 1, held: 0, sold: 1 },
  paidUnits: 1,
  releasedUnits: 1,
};
const GOOD = [answered(1, 'accepted'), answered(2, 'accepted'), answered(3, 'sold_out')];
const broken = (answers: readonly Answered[], books: Partial<Books> = {}) =>
  judgeRehearsal(sale, crowdOf(answers), answers, { ...BOOKS, ...books })
    .checks.filter(({ ok }) => !ok)
    .map(({ id }) => id);

describe('judgeRehearsal', () => {
  it('[J5] says go where everything adds up, with the numbers', () => {
    expect(judgeRehearsal(sale, crowdOf(GOOD), GOOD, BOOKS)).toMatchObject({
      isGo: true,
      shoppers: 3,
      presses: 3,
      perSecond: 3,
      soldOutAfterMs: 212,
      latencyMs: { p50: 12, p95: 13, p99: 13, max: 13 },
      answers: { accepted: 2, sold_out: 1 },
      limited: { user: 0, ip: 0, interface: 0, device: 0 },
      units: { total: 2, sold: 2, released: 1 },
    });
  });

  it('[C1] finds an oversold unit, a lost message, a user above the limit and a second order of one token', () => {
    expect(broken([...GOOD, answered(4, 'accepted')])).toEqual(['tiers', 'messages']);
    const { afterCrowd } = BOOKS;
    expect(broken(GOOD, { afterCrowd: { ...afterCrowd, inMessages: 1 } })).toEqual(['messages']);
    expect(broken(GOOD, { afterCrowd: { ...afterCrowd, mostPerUser: 2 } })).toEqual(['limit_per_user']);
    const again = answered(1, 'replayed', { orderNo: '9' });
    expect(broken([...GOOD, again])).toEqual(['one_answer']);
    expect(broken([...GOOD, answered(1, 'replayed')])).toEqual([]);
  });

  it('[C1 O3] finds a variant that was sold twice, although the sale as a whole adds up', () => {
    const varied = {
      ...sale,
      variants: ['S', 'M'].map((name) => ({ name, stock: 1, picture: null })),
    };
    const buyers = [answered(1, 'accepted'), answered(2, 'accepted')];
    const judge = (numbers: readonly number[], variants: readonly number[]) => {
      const answers = buyers.map((one, at) => ({
        ...one,
        press: { ...one.press, variant: numbers[at] ?? 0 },
      }));
      const stock = { ...BOOKS.afterCrowd.stock, variants };
      const books = { ...BOOKS, afterCrowd: { ...BOOKS.afterCrowd, stock } };
      return judgeRehearsal(varied, crowdOf(answers), answers, books).isGo;
    };
    expect(judge([1, 2], [0, 0])).toBe(true);
    expect(judge([1, 1], [0, 0])).toBe(false);
    expect(judge([1, 1], [-1, 1])).toBe(false);
  });

  it('[C6] finds units that payment or release has lost', () => {
    expect(broken(GOOD, { afterPayment: { total: 2, available: 1, held: 1, sold: 0 } })).toEqual([
      'after_payment',
    ]);
    expect(broken(GOOD, { afterPayment: { total: 2, available: 0, held: 0, sold: 1 } })).toEqual([
      'after_payment',
    ]);
  });

  it('[A4] finds a purchase before the start', () => {
    const [inTime, early] = [1_000, 999].map((acceptedAt, n) => answered(n + 1, 'accepted', { acceptedAt }));
    const crowd = [inTime, early, answered(3, 'sold_out')].filter((one) => one !== undefined);
    expect(broken(crowd)).toEqual(['not_before_start']);
  });

  it('[G1–G3] advises against limits that refuse honest shoppers, not against those that refuse scripts', () => {
    const refused = answered(3, 'rate_limited', { limit: 'ip' });
    expect(broken([...GOOD.slice(0, 2), refused])).toEqual(['honest_refused']);
    const script = { ...refused, press: press(3, { knowsGate: false }) };
    const report = judgeRehearsal(
      sale,
      crowdOf([...GOOD.slice(0, 2), script]),
      [...GOOD.slice(0, 2), script],
      BOOKS,
    );
    expect(report).toMatchObject({ isGo: true, limited: { user: 0, ip: 1, interface: 0 } });
  });

  it('[J5] advises against a sale that would be slow', () => {
    expect(broken(GOOD.map((one) => ({ ...one, latencyMs: 501 })))).toEqual(['latency']);
  });
});

describe('planCrowd', () => {
  it('[J5] is the same for the same choices, of the size that was asked for, and of all kinds', () => {
    const seeded = () => {
      let state = 1;
      return () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
    };
    const limited = { limitPerUser: 3, variants: [] };
    const crowd = planCrowd(2_000, limited, seeded());
    expect(planCrowd(2_000, limited, seeded())).toEqual(crowd);
    expect(crowd).toHaveLength(2_000);
    expect(new Set(crowd.map(({ userId }) => userId)).size).toBe(2_000);
    const presses = crowd.flatMap((shopper) => shopper.presses);
    expect(Math.max(...presses.map(({ atMs }) => atMs))).toBeLessThan(6_000);
    for (const some of [
      presses.filter(({ atMs }) => atMs < 0),
      presses.filter(({ quantity }) => quantity === 3),
      presses.filter(({ address }) => address === '10.255.255.1'),
      presses.filter(({ knowsGate }) => !knowsGate),
      crowd.filter(({ presses: own }) => own.length > 1),
      crowd.filter(({ willPay }) => !willPay),
      crowd.filter(({ isReserved }) => !isReserved),
    ]) {
      expect(some.length).toBeGreaterThan(20);
      expect(some.length).toBeLessThan(1_000);
    }
  });
});
