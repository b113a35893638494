import { describe, expect, it } from 'vitest';
import { acceptedOrderSchema, orderNoSchema } from './accepted-order';
import { backoffMs } from './backoff';
import { eventId } from './event-id';
import { groupBy } from './group-by';
import { MAX_BATCH, packedOrdersSchema, packOrders, unpackOrders } from './order-batch';
import { parseEntry } from './parse-entry';

const FIELDS = {
  orderNo: '9223372036854775807',
  userId: 'user_1',
  quantity: '2',
  jti: 'jti-1',
  epoch: '3',
  acceptedAt: '1790000000000',
};

describe('a batch', () => {
  const [userId, jti] = ['u'.repeat(64), 'j'.repeat(64)];
  const INT4_MAX = 2_147_483_647;
  const longest = {
    ...FIELDS,
    ...{ userId, jti, quantity: INT4_MAX, epoch: INT4_MAX, acceptedAt: 8.64e15, variant: 20 },
  };
  const shortest = { orderNo: '1', userId: '_', quantity: 1, jti: '-', epoch: 0, acceptedAt: 0 };

  it('[E9] fits into an event of 256 KiB, however long its ids are', () => {
    expect(acceptedOrderSchema.safeParse(longest).success).toBe(true);
    // Each of another sale: nothing is longer.
    const data = packOrders(new Array(MAX_BATCH).fill({ saleId: 's'.repeat(64), orders: [longest] }));
    const event = { id: eventId('orders/accepted', ['1-0']), name: 'orders/accepted', data };
    expect(JSON.stringify(event).length).toBeLessThan(256 * 1024);
    expect(packedOrdersSchema.safeParse(data).success).toBe(true);
  });

  it('[E9] has 500 orders at most, whatever their sales', () => {
    const batches = (...counts: number[]) =>
      packOrders(counts.map((count) => ({ saleId: 'sale_1', orders: new Array(count).fill(shortest) })));
    for (const counts of [[500], [250, 250]])
      expect(packedOrdersSchema.safeParse(batches(...counts)).success).toBe(true);
    for (const counts of [[501], [250, 251], [], [1, 0]])
      expect(packedOrdersSchema.safeParse(batches(...counts)).success).toBe(false);
  });

  it('[E2] arrives as it was sent', () => {
    const batches = [
      { saleId: 'sale_1', orders: [longest, shortest] },
      { saleId: 'sale_2', orders: [shortest] },
    ];
    const sent = JSON.stringify(packOrders(batches));
    expect(unpackOrders(packedOrdersSchema.parse(JSON.parse(sent)))).toEqual(batches);
  });

  it('[O3 E2] carries the variant where there is one, and only there', () => {
    const orders = [{ ...shortest, variant: 20 }, shortest];
    const packed = packOrders([{ saleId: 'sale_1', orders }]);
    expect(packed).toEqual({ batches: [{ saleId: 'sale_1', orders: ['1 _ 1 - 0 0 20', '1 _ 1 - 0 0'] }] });
    expect(unpackOrders(packed)).toEqual([{ saleId: 'sale_1', orders }]);
  });

  it('[E2 K5] is read in the form of the release before, whose events may be under way during an upgrade', () => {
    const before = { saleId: 'sale_1', orders: ['1 _ 1 - 0 0'] };
    expect(unpackOrders(packedOrdersSchema.parse(before))).toEqual([
      { saleId: 'sale_1', orders: [shortest] },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['a field too few', '1 user_1 1 jti_1 1'],
    ['a field too many', '1 user_1 1 jti_1 1 1 1 1'],
    ['variant 0', '1 user_1 1 jti_1 1 1 0'],
    ['quantity 0', '1 user_1 0 jti_1 1 1'],
    ['a user that is no id', '1 a;b 1 jti_1 1 1'],
    ['a leading zero', '01 user_1 1 jti_1 1 1'],
  ])('[E5] a line with %s is refused', (_name, line) => {
    const batches = [{ saleId: 'sale_1', orders: [line] }];
    expect(packedOrdersSchema.safeParse({ batches }).success).toBe(false);
  });

  it('[E5] a number out of range is not written', () => {
    for (const line of ['9223372036854775808 u 1 j 1 1', '1 u 3000000000 j 1 1', '1 u 1 j 1 1 21'])
      expect(() => unpackOrders({ batches: [{ saleId: 'sale_1', orders: [line] }] })).toThrow();
  });
});

describe('parseEntry', () => {
  it('[E2] reads what the purchase script writes', () => {
    expect(parseEntry({ saleId: 'sale_1', stockId: 'sale_1/2.0', entryId: '1-0', fields: FIELDS })).toEqual({
      ok: true,
      entry: {
        saleId: 'sale_1',
        stockId: 'sale_1/2.0',
        entryId: '1-0',
        order: { ...FIELDS, quantity: 2, epoch: 3, acceptedAt: 1790000000000 },
      },
    });
  });

  it.each([
    ['no order number', { orderNo: undefined }],
    ['an order number of 64 bits', { orderNo: '9223372036854775808' }],
    ['an order number that is no number', { orderNo: 'nonsense' }],
    ['an order number with a sign', { orderNo: '-5' }],
    ['a leading zero', { orderNo: '05' }],
    ['no quantity', { quantity: undefined }],
    ['quantity 0', { quantity: '0' }],
    ['quantity 1.5', { quantity: '1.5' }],
    ['quantity 1e3', { quantity: '1e3' }],
    ['quantity 10⁹ and more', { quantity: '3000000000' }],
    ['an empty user', { userId: '' }],
    ['a user that is no id', { userId: 'a;b' }],
    ['a token id that is no id', { jti: 'a,b' }],
    ['a negative epoch', { epoch: '-1' }],
    ['no time', { acceptedAt: 'NaN' }],
    ['variant 0', { variant: '0' }],
    ['a variant that is no number', { variant: 'S' }],
  ])('[E5] refuses %s and says so', (_name, wrong) => {
    const fields = { ...FIELDS, ...wrong } as Record<string, string>;
    const parsed = parseEntry({ saleId: 'sale_1', stockId: 'sale_1', entryId: '1-0', fields });
    expect(parsed).toMatchObject({ ok: false });
    expect(parsed.ok ? '' : parsed.error).toContain(Object.keys(wrong)[0]);
  });
});

describe('eventId', () => {
  it('[E3] is the same for the same entries and different for any others', () => {
    const id = eventId('orders/accepted', ['1:1-0', '1:2-0']);
    expect(eventId('orders/accepted', ['1:1-0', '1:2-0'])).toBe(id);
    const others = [
      eventId('orders/paid', ['1:1-0', '1:2-0']),
      eventId('orders/accepted', ['1:1-0']),
      eventId('orders/accepted', ['2:1-0', '1:2-0']),
      eventId('orders/accepted', ['1:2-0', '1:1-0']),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });
});

describe('backoffMs', () => {
  it('[I2] doubles up to its maximum', () => {
    expect([1, 2, 3, 4, 10, 5000].map((attempt) => backoffMs(attempt, 100, 1000))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });
});

describe('groupBy', () => {
  it('[E9] keeps the order of first appearance', () => {
    expect([...groupBy(['b1', 'a1', 'b2'], (text) => text[0])]).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
    ]);
  });
});

describe('orderNoSchema', () => {
  it('[E8] takes 63 bits and no more', () => {
    expect(orderNoSchema.safeParse(String(2n ** 63n - 1n)).success).toBe(true);
    expect(orderNoSchema.safeParse(String(2n ** 63n)).success).toBe(false);
    expect(orderNoSchema.safeParse('0').success).toBe(false);
  });
});
