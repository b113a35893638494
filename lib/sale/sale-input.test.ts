import { describe, expect, it } from 'vitest';
import { createSaleSchema, restockSchema } from './sale-input';
import { SALE_CHALLENGES } from './types';

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
  const result = createSaleSchema.safeParse(input);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'));
};

describe('createSaleSchema', () => {
  it('[B1] takes a sale as the API describes it; entry opens ten minutes before the start', () => {
    expect(createSaleSchema.parse(valid)).toMatchObject({
      entryOpensAt: startsAt - 600_000,
      listPriceMinor: null,
      minLevel: 0,
    });
  });

  it('[C7] lets unpaid orders wait 15 minutes unless the sale says otherwise', () => {
    const { paymentWindowSec, ...rest } = valid;
    expect(createSaleSchema.parse(rest).paymentWindowSec).toBe(900);
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

  it.each(SALE_CHALLENGES)('[G4 G5] takes the challenge %s', (challenge) => {
    expect(createSaleSchema.parse({ ...valid, challenge }).challenge).toBe(challenge);
  });

  it('[B1] refuses parts that are not built yet instead of ignoring them', () => {
    expect(fieldsOf({ ...valid, onStockOutage: 'database' })).toEqual(['onStockOutage']);
    expect(fieldsOf({ ...valid, limits: {} })).toEqual(['limits']);
    expect(fieldsOf({ ...valid, reservation: {} })).toEqual(['reservation']);
  });

  it('[B1] refuses a price that times the limit no order could hold', () => {
    expect(fieldsOf({ ...valid, priceMinor: 100_000_000, limitPerUser: 22 })).toEqual(['limitPerUser']);
  });
});

describe('restockSchema', () => {
  it.each([0, 1.5, 1e10, '5', null])('[C5] refuses a delta of %j', (delta) => {
    expect(restockSchema.safeParse({ delta, reason: 'x' }).success).toBe(false);
  });

  it('[C5] wants a reason', () => {
    expect(restockSchema.safeParse({ delta: 1, reason: ' ' }).success).toBe(false);
    expect(restockSchema.safeParse({ delta: -1, reason: 'broken in transport' }).success).toBe(true);
  });
});
