import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatBuyerRecords, parseBuyerRecords } from './buyer-record';

const record = fc.record({
  jti: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  orderNo: fc.bigInt(1n, 2n ** 63n - 1n).map(String),
  quantity: fc.integer({ min: 1, max: 10_000 }),
  variant: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  state: fc.constantFrom('held' as const, 'sold' as const, 'released' as const),
});

it('[C6] reads back what it wrote', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
      expect(parseBuyerRecords(formatBuyerRecords(records))).toEqual(records);
    }),
  );
});

it('[C6] refuses what it does not understand', () => {
  for (const text of [
    '',
    'a,1,1',
    'a,1,1,x',
    'a,1,0,h',
    'a,01,1,h',
    'a,1,1,h;',
    'a,1,1,h,z',
    'a,1,1,0,h',
    'a,1,1,2,3,h',
    'a b,1,1,h',
    ',1,1,h',
  ]) {
    expect(() => parseBuyerRecords(text)).toThrow('not a buyer record');
  }
  expect(() => formatBuyerRecords([{ jti: 'a;b', orderNo: '1', quantity: 1, state: 'held' }])).toThrow();
});
