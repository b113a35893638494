import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commitTo } from './commit-to';
import { digestNonces } from './digest-nonces';
import { drawOrder } from './draw-order';
import { shuffle } from './shuffle';
import { shuffleKey } from './shuffle-key';

const bytes = (length: number, first = 0) => Uint8Array.from({ length }, (_, at) => first + at);
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');
const keyOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());
/** The same numbers, in ascending order. */
const sorted = (order: Uint32Array) => [...order].sort((one, other) => one - other);
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('shuffle', () => {
  it('[M1][M4] gives the fixed test vector of the document', async () => {
    const seed = bytes(32);
    const noncesDigest = await digestNonces([bytes(16, 0), bytes(16, 16), bytes(16, 32)]);
    const without = await shuffleKey({ seed, noncesDigest, beacon: null });
    const withBeacon = await shuffleKey({ seed, noncesDigest, beacon: '7:00ff' });
    expect({
      commitment: hex(await commitTo(seed)),
      noncesDigest: hex(noncesDigest),
      without: hex(without),
      withBeacon: hex(withBeacon),
      order: [...(await shuffle(without, 10))],
      draw: [...(await drawOrder(without, [1, 2, 3, 4]))],
    }).toMatchInlineSnapshot(`
      {
        "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "draw": [
          2,
          3,
          1,
          0,
        ],
        "noncesDigest": "87fd842e8f915b747901e4a1675f43578b0238fc3de9aa76a7f795429f597bd8",
        "order": [
          5,
          9,
          3,
          6,
          7,
          1,
          2,
          8,
          0,
          4,
        ],
        "withBeacon": "a384874efda4d80880c814e15820bb4d9ce255d22e48128b73fb214d1c1696de",
        "without": "54d40e8f1f665ef79acb1f33b5ceec401cde2b73066b87ed26235448b14e0f0f",
      }
    `);
  });

  it('[M1] holds each number once, for none, one and many', async () => {
    for (const count of [0, 1, 2, 17, 65_537, 200_000])
      expect(sorted(await shuffle(keyOf(`once ${count}`), count))).toEqual(upTo(count));
  });

  it('[M4] differs by seed, by nonces, by beacon and by having none', async () => {
    const seed = bytes(32);
    const noncesDigest = await digestNonces([bytes(16)]);
    const keys = await Promise.all([
      shuffleKey({ seed, noncesDigest, beacon: null }),
      shuffleKey({ seed, noncesDigest, beacon: '' }),
      shuffleKey({ seed, noncesDigest, beacon: '1' }),
      shuffleKey({ seed: bytes(32, 1), noncesDigest, beacon: null }),
      shuffleKey({ seed, noncesDigest: await digestNonces([bytes(16, 1)]), beacon: null }),
    ]);
    expect(new Set(keys.map(hex)).size).toBe(5);
  });

  it('[M1] digests what half a million people brought', async () => {
    const nonce = bytes(16);
    const digest = createHash('sha256').update('seckill nonces 1\0');
    for (let number = 0; number < 500_000; number += 1) digest.update(nonce);
    expect(hex(await digestNonces(new Array(500_000).fill(nonce)))).toBe(digest.digest('hex'));
  });

  it('refuses what is no key, seed, nonce, digest or count', async () => {
    const key = bytes(32);
    await expect(shuffle(bytes(31), 3)).rejects.toThrow(RangeError);
    for (const count of [-1, 1.5, Number.NaN, 2 ** 40])
      await expect(shuffle(key, count)).rejects.toThrow(RangeError);
    await expect(commitTo(bytes(16))).rejects.toThrow(RangeError);
    await expect(digestNonces([bytes(15)])).rejects.toThrow(RangeError);
    await expect(shuffleKey({ seed: key, noncesDigest: bytes(31), beacon: null })).rejects.toThrow(
      RangeError,
    );
    await expect(shuffleKey({ seed: bytes(31), noncesDigest: key, beacon: null })).rejects.toThrow(
      RangeError,
    );
  });
});

describe('drawOrder', () => {
  it('[M4] is the shuffle when all weights are one', async () => {
    const key = keyOf('equal');
    expect(await drawOrder(key, new Array(1000).fill(1))).toEqual(await shuffle(key, 1000));
  });

  it('[M4] holds each number once', async () => {
    expect(await drawOrder(keyOf('none'), [])).toHaveLength(0);
    expect([...(await drawOrder(keyOf('one'), [7]))]).toEqual([0]);
    const weights = Array.from({ length: 50_000 }, (_, number) => 1 + (number % 10));
    expect(sorted(await drawOrder(keyOf('many'), weights))).toEqual(upTo(50_000));
  });

  it('refuses a weight that is none', async () => {
    for (const weight of [0, -1, 1.5, 101, Number.NaN])
      await expect(drawOrder(keyOf('weight'), [1, weight])).rejects.toThrow(RangeError);
  });
});
