import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createOrderNoSource,
  decodeOrderNo,
  ORDER_EPOCH_MS,
  OrderNoSpanEndedError,
  parseOrderNo,
  SEQUENCE_COUNT,
  WORKER_COUNT,
} from './order-no';
import { SHARD_COUNT, shardOf } from './shard-of';

const START = ORDER_EPOCH_MS + 1_000_000;

describe('createOrderNoSource', () => {
  it('[E8] a million across 8 workers: unique, ordered within a worker, shard recoverable', () => {
    const shards = Array.from({ length: 1_000 }, (_, i) => shardOf(`user_${i}`));
    const all = new BigUint64Array(1_000_000);
    let n = 0;
    for (let workerId = 0; workerId < 8; workerId += 1) {
      const source = createOrderNoSource({ workerId });
      let before = 0n;
      for (let i = 0; i < 125_000; i += 1) {
        const shard = shards[i % shards.length] ?? 0;
        const orderNo = source.next(shard);
        if (orderNo <= before || Number(orderNo % 1_024n) !== shard)
          throw new Error(`${before} → ${orderNo}`);
        before = orderNo;
        all[n] = orderNo;
        n += 1;
      }
    }
    all.sort();
    expect(n).toBe(1_000_000);
    expect(all.every((orderNo, i) => i === 0 || orderNo !== all[i - 1])).toBe(true);
  });

  it('[E8] with any clock, jumping forwards, backwards or standing still, it neither repeats nor goes back', () => {
    const jumps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 5_000 })), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(jumps, fc.nat(WORKER_COUNT - 1), fc.nat(SHARD_COUNT - 1), (steps, workerId, shard) => {
        let clock = START;
        const source = createOrderNoSource({ workerId, now: () => clock });
        let before = { orderNo: 0n, atMs: 0 };
        for (const step of steps) {
          clock = Math.max(START, clock + step);
          const orderNo = source.next(shard);
          const parts = decodeOrderNo(orderNo);
          expect(parts).toMatchObject({ workerId, shard });
          expect(orderNo > before.orderNo).toBe(true);
          expect(parts.atMs).toBe(Math.max(clock, before.atMs));
          expect(source.lastMs()).toBe(parts.atMs);
          before = { orderNo, atMs: parts.atMs };
        }
      }),
    );
  });

  it('[E8] more than 128 in one millisecond borrow from the next ones', () => {
    const source = createOrderNoSource({ workerId: 3, now: () => START });
    const parts = Array.from({ length: 300 }, () => decodeOrderNo(source.next(0)));
    expect(parts.map((part) => part.atMs - START)).toEqual(parts.map((_, i) => Math.floor(i / 128)));
    expect(parts.map((part) => part.sequence)).toEqual(parts.map((_, i) => i % 128));
  });

  it('[E8 K5] uses only the sequence numbers it was given, and those of a number never meet', () => {
    const parts = fc.integer({ min: 1, max: 127 }).map((count) => [
      { first: 0, count },
      { first: count, count: SEQUENCE_COUNT - count },
    ]);
    fc.assert(
      fc.property(parts, (both) => {
        const numbers = both.map((sequences) => {
          const source = createOrderNoSource({ workerId: 20, sequences, now: () => START });
          return Array.from({ length: 300 }, () => source.next(5));
        });
        expect(new Set(numbers.flat()).size).toBe(600);
        for (const [at, { first, count }] of both.entries()) {
          const used = numbers[at]?.map((orderNo) => decodeOrderNo(orderNo)) ?? [];
          expect(used.every(({ sequence }) => sequence >= first && sequence < first + count)).toBe(true);
          expect(used.every(({ workerId, shard }) => workerId === 20 && shard === 5)).toBe(true);
        }
      }),
    );
  });

  it('[E8] starts after what a predecessor may have used', () => {
    const source = createOrderNoSource({ workerId: 0, now: () => START, startAfterMs: START + 500 });
    expect(decodeOrderNo(source.next(0))).toMatchObject({ atMs: START + 501, sequence: 0 });
  });

  it('[E8] uses no moment after its end, and goes on when the end moves', () => {
    let endMs = START;
    const source = createOrderNoSource({ workerId: 0, now: () => START, endMs: () => endMs });
    for (let i = 0; i < 128; i += 1) source.next(0);
    expect(() => source.next(0)).toThrow(OrderNoSpanEndedError);
    expect(source.lastMs()).toBe(START);
    endMs += 1;
    expect(decodeOrderNo(source.next(0))).toMatchObject({ atMs: START + 1, sequence: 0 });
  });

  it('[E8] fits 63 bits to its last millisecond, and refuses to go on', () => {
    const lastMs = ORDER_EPOCH_MS + 2 ** 41 - 1;
    const source = createOrderNoSource({ workerId: 31, now: () => lastMs });
    let last = 0n;
    for (let i = 0; i < 128; i += 1) last = source.next(1_023);
    expect(last).toBe(2n ** 63n - 1n);
    expect(() => source.next(0)).toThrow('2095');
  });

  it('refuses workers and shards out of range', () => {
    for (const workerId of [-1, 32, 0.5]) expect(() => createOrderNoSource({ workerId })).toThrow(RangeError);
    for (const [first, count] of [
      [-1, 1],
      [0, 0],
      [0, 129],
      [127, 2],
      [0.5, 1],
    ] as const)
      expect(() => createOrderNoSource({ workerId: 0, sequences: { first, count } })).toThrow(RangeError);
    const source = createOrderNoSource({ workerId: 0 });
    for (const shard of [-1, 1_024, 0.5, Number.NaN]) expect(() => source.next(shard)).toThrow(RangeError);
  });
});

describe('parseOrderNo', () => {
  it('[E8] reads every 63-bit number back', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n - 1n), (orderNo) => {
        expect(parseOrderNo(orderNo.toString())).toBe(orderNo);
      }),
    );
  });

  it('[E8] refuses everything else', () => {
    const wrong = [
      '',
      '0',
      '01',
      '-1',
      '+1',
      ' 1',
      '1 ',
      '1e3',
      '0x10',
      '1.0',
      '1n',
      '１２',
      String(2n ** 63n),
      '9'.repeat(20),
    ];
    for (const text of wrong) expect(parseOrderNo(text)).toBeNull();
  });
});
