import { describe, expect, it } from 'vitest';
import { LIMIT_ALGORITHMS } from '../words/limit';
import { SALE_CHALLENGES } from '../words/sale';
import { givenLimits } from './limit';
import { newSale, restock } from './sale-input';

const startsAt = 1_800_000_000_000;
const valid = {
  productId: 'product_1',
  title: 'Lantern',
  priceMinor: 9900,
  currency: 'CNY',
  totalStock: 100,
  limitPerUser: 1,
  startsAt,
  endsAt: startsAt + 3_600_000,
  paymentWindowSec: 900,
  challenge: 'none',
};
const fieldsOf = (input: object) => {
  const result = newSale.safeParse(input);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
};

describe('newSale', () => {
  it('[B1] takes a sale as the API describes it; entry opens ten minutes before the start', () => {
    expect(newSale.parse(valid)).toMatchObject({
      entryOpensAt: startsAt - 600_000,
      listPriceMinor: null,
      minLevel: 0,
    });
  });

  it('[C7] lets unpaid orders wait 15 minutes unless the sale says otherwise', () => {
    const { paymentWindowSec, ...rest } = valid;
    expect(newSale.parse(rest).paymentWindowSec).toBe(900);
  });

  it('[C1] takes −1 as unlimited stock', () => {
    expect(fieldsOf({ ...valid, totalStock: -1 })).toEqual([]);
  });

  it.each([
    ['productId', ''],
    ['title', ' '],
    ['title', 'x'.repeat(201)],
    ['priceMinor', 0],
    ['priceMinor', 1.5],
    ['priceMinor', '9900'],
    ['priceMinor', 1e12],
    ['listPriceMinor', 100],
    ['currency', 'XXZ'],
    ['currency', 'cny'],
    ['totalStock', -2],
    ['totalStock', Number.NaN],
    ['limitPerUser', 0],
    ['limitPerUser', 1001],
    ['startsAt', -1],
    ['startsAt', '2027-01-01'],
    ['endsAt', startsAt],
    ['endsAt', 9e15],
    ['entryOpensAt', startsAt + 1],
    ['paymentWindowSec', 4],
    ['minLevel', -1],
    ['challenge', 'riddle'],
  ])('[B1] refuses %s = %j', (field, value) => {
    expect(fieldsOf({ ...valid, [field]: value })).toContain(field);
  });

  it('[M10] splits only a stock that the script sells and that has an end', () => {
    const split = { ...valid, slices: 4 };
    expect(newSale.parse(valid).slices).toBe(1);
    expect(fieldsOf(split)).toEqual([]);
    for (const slices of [0, 17, 1.5, '4', null]) expect(fieldsOf({ ...valid, slices })).toEqual(['slices']);
    const reservation = { opensAt: startsAt - 2_000, closesAt: startsAt - 1_000 };
    const others = [
      { strategy: 'lock' },
      { strategy: 'database' },
      { strategy: 'queue' },
      { onStockOutage: 'database' },
      { totalStock: -1 },
      { reservation },
    ];
    for (const other of others) expect(fieldsOf({ ...split, ...other })).toEqual(['slices']);
  });

  it.each(SALE_CHALLENGES)('[G4 G5] takes the challenge %s', (challenge) => {
    expect(newSale.parse({ ...valid, challenge }).challenge).toBe(challenge);
  });

  it('[B1] refuses parts that are not built yet instead of ignoring them', () => {
    expect(fieldsOf({ ...valid, challenge: 'riddle' })).toEqual(['challenge']);
  });

  it('[H1] takes a reservation window that ends before the start', () => {
    const reservation = { opensAt: startsAt - 2, closesAt: startsAt };
    expect(newSale.parse({ ...valid, reservation })).toMatchObject({ reservation });
    expect(fieldsOf({ ...valid, reservation: {} })).toEqual(['reservation.opensAt', 'reservation.closesAt']);
    for (const [opensAt, closesAt] of [
      [startsAt - 1, startsAt - 1],
      [startsAt, startsAt + 1],
      [startsAt - 2, startsAt + 1],
      [0.5, 1],
    ]) {
      expect(fieldsOf({ ...valid, reservation: { opensAt, closesAt } })).toHaveLength(1);
    }
  });

  it('[J4 B1] takes what happens while Redis is away where the script decides, and only there', () => {
    const fallback = { ...valid, onStockOutage: 'database' };
    expect(newSale.parse(valid).onStockOutage).toBe('closed');
    expect(newSale.parse(fallback).onStockOutage).toBe('database');
    expect(newSale.parse({ ...fallback, strategy: 'script' }).onStockOutage).toBe('database');
    for (const strategy of ['database', 'lock', 'queue']) {
      expect(fieldsOf({ ...fallback, strategy })).toEqual(['onStockOutage']);
      expect(newSale.parse({ ...valid, strategy, onStockOutage: 'closed' }).strategy).toBe(strategy);
    }
    expect(fieldsOf({ ...valid, onStockOutage: 'maybe' })).toEqual(['onStockOutage']);
  });

  const small = { name: 'S', stock: 2, picture: null };
  const large = { name: 'L', stock: 3, picture: 'a'.repeat(64) };
  const varied = { ...valid, totalStock: 5, variants: [small, large] };

  it('[O3] takes variants whose stock adds up; a sale has none unless it says so', () => {
    expect(newSale.parse(valid).variants).toEqual([]);
    expect(newSale.parse(varied).variants).toEqual([small, large]);
    expect(newSale.parse({ ...varied, admission: 'waiting_room', waitlist: true }).variants).toHaveLength(2);
    expect(newSale.parse({ ...varied, admission: 'draw', waitlist: true }).variants).toHaveLength(2);
  });

  it.each([
    ['totalStock', { totalStock: 6 }],
    ['totalStock', { totalStock: -1 }],
    ['strategy', { strategy: 'lock' }],
    ['strategy', { strategy: 'database' }],
    ['strategy', { strategy: 'queue' }],
    ['slices', { slices: 2 }],
    ['onStockOutage', { onStockOutage: 'database' }],
    ['variants', { variants: [small, { ...large, name: ' s ' }] }],
    ['variants', { variants: Array.from({ length: 21 }, (_, at) => ({ ...small, name: `${at}` })) }],
    ['variants.0.name', { variants: [{ ...small, name: ' ' }] }],
    ['variants.0.name', { variants: [{ ...small, name: 'x'.repeat(61) }] }],
    ['variants.0.stock', { variants: [{ ...small, stock: -1 }] }],
    ['variants.0.picture', { variants: [{ ...small, picture: '/x.png' }] }],
  ])('[O3] refuses variants for the sake of %s: %j', (field, change) => {
    expect(fieldsOf({ ...varied, ...change })).toEqual([field]);
  });

  it('[B1] refuses a price that times the limit no order could hold', () => {
    expect(fieldsOf({ ...valid, priceMinor: 100_000_000, limitPerUser: 22 })).toEqual(['limitPerUser']);
  });
});

describe('limits', () => {
  const policy = { algorithm: 'token-bucket', limit: 5, windowSec: 60 };

  it('[G1 G2 G3] are those of user, address and interface, each or none', () => {
    const limits = { user: policy, ip: policy, interface: policy };
    expect(newSale.parse({ ...valid, limits }).limits).toEqual(limits);
    expect(newSale.parse({ ...valid, limits: { ip: policy } }).limits).toEqual({ ip: policy });
    expect(newSale.parse(valid).limits).toBeUndefined();
    for (const none of [null, {}, { user: undefined }]) expect(givenLimits.parse(none)).toBeNull();
  });

  it.each(LIMIT_ALGORITHMS)('[G7] may be counted by %s', (algorithm) => {
    expect(fieldsOf({ ...valid, limits: { user: { ...policy, algorithm } } })).toEqual([]);
  });

  it.each([
    [{ user: { ...policy, algorithm: 'guess' } }, 'limits.user.algorithm'],
    [{ ip: { ...policy, limit: 0 } }, 'limits.ip.limit'],
    [{ ip: { ...policy, limit: 1_000_001 } }, 'limits.ip.limit'],
    [{ user: { ...policy, limit: 1.5 } }, 'limits.user.limit'],
    [{ interface: { ...policy, windowSec: 0 } }, 'limits.interface.windowSec'],
    [{ interface: { ...policy, windowSec: 86_401 } }, 'limits.interface.windowSec'],
    [{ user: { ...policy, burst: 3 } }, 'limits.user'],
    [{ everybody: policy }, 'limits'],
    [{ user: null }, 'limits.user'],
    ['5 a minute', 'limits'],
    [[], 'limits'],
  ])('[G1] refuses %j', (limits, field) => {
    expect(fieldsOf({ ...valid, limits })).toContain(field);
  });
});

describe('restock', () => {
  it.each([0, 1.5, 1e10, '5', null])('[C5] refuses a delta of %j', (delta) => {
    expect(restock.safeParse({ delta, reason: 'x' }).success).toBe(false);
  });

  it('[C5] wants a reason', () => {
    expect(restock.safeParse({ delta: 1, reason: ' ' }).success).toBe(false);
    expect(restock.safeParse({ delta: -1, reason: 'broken in transport' }).success).toBe(true);
  });
});
