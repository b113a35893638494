import { expect, it } from 'vitest';
import { orderByReferences } from './order-by-references';

it('[J7] a table comes after those it refers to; itself and strangers do not count', () => {
  const references: [string, string][] = [
    ['orders', 'users'],
    ['payments', 'orders'],
    ['users', 'users'],
    ['orders', 'elsewhere'],
    ['elsewhere', 'payments'],
  ];
  expect(orderByReferences(['payments', 'orders', 'users'], references)).toEqual([
    'users',
    'orders',
    'payments',
  ]);
});

it('[J7] a circle is named', () => {
  const references: [string, string][] = [
    ['a', 'b'],
    ['b', 'a'],
  ];
  expect(() => orderByReferences(['a', 'b', 'c'], references)).toThrow('in a circle: a, b');
});
