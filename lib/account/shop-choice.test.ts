import { describe, expect, it } from 'vitest';
import { readShopChoice, writeShopChoice } from './shop-choice';

describe('[L4] the shop that a browser has chosen', () => {
  it('is read as it was written', () => {
    const written = writeShopChoice('user_01abc');
    expect(written).toMatch(/HttpOnly; SameSite=Lax/);
    const [pair = ''] = written.split(';');
    expect(readShopChoice(`other=1; ${pair}`)).toBe('user_01abc');
  });

  it.each([
    null,
    '',
    'seckill-shop=',
    'seckill-shop=%00',
    `seckill-shop=${'a'.repeat(65)}`,
    "seckill-shop=' OR 1",
  ])('is none in %j', (header) => {
    expect(readShopChoice(header)).toBeUndefined();
  });
});
