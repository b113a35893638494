import { expect, it } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { idTimeMs, lowestIdAt } from './id-time';

it('reads the time that newId wrote', () => {
  for (const ms of [0, 31, 32, 1_767_225_600_123, 2 ** 48 - 1]) expect(idTimeMs(newId('sale', ms))).toBe(ms);
});

it('knows what is no such id', () => {
  for (const id of [
    '',
    'sale',
    'sale_',
    'sale_x',
    `${newId('sale')}0`,
    newId('sale').toUpperCase(),
    'sale_!',
  ]) {
    expect(idTimeMs(id)).toBeNull();
  }
});

it('[B4] gives the lower bound of all ids of a moment', () => {
  const ms = 1_767_225_600_123;
  expect(idTimeMs(lowestIdAt('sale', ms))).toBe(ms);
  for (let i = 0; i < 1_000; i += 1) {
    expect(newId('sale', ms) >= lowestIdAt('sale', ms)).toBe(true);
    expect(newId('sale', ms - 1) < lowestIdAt('sale', ms)).toBe(true);
  }
});
