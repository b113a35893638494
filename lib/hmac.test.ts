import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmac, prepareHmacKey } from './hmac';

const LONGEST = 100;

it('[F2] computes what createHmac computes, for every key and text, one after the other', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.string({ maxLength: LONGEST, unit: 'binary' }), { maxLength: 4 }),
      (secret, texts) => {
        const key = prepareHmacKey(Buffer.from(secret), LONGEST);
        for (const text of texts.filter(({ length }) => length <= LONGEST))
          expect(hmac(text, key)).toBe(createHmac('sha256', secret).update(text).digest('base64url'));
      },
    ),
  );
});

it('[F2] refuses a text longer than its key allows', () => {
  const key = prepareHmacKey('secret', LONGEST);
  expect(() => hmac('x'.repeat(LONGEST + 1), key)).toThrow(RangeError);
});
