import { expect, it } from 'vitest';
import { limitMs } from './time-limits';

it('[J4] a shopper learns within seconds that a server is away, unless a setting says to wait longer', () => {
  expect(limitMs('postgresConnect')).toBe(2_000);
  expect(limitMs('redisCommand')).toBe(2_000);
  expect(limitMs('cacheAnswer')).toBe(5_000);
});

it('what waits for something else waits longer than that', () => {
  expect(limitMs('redisSilence')).toBeGreaterThan(limitMs('redisCommand'));
  expect(limitMs('cacheAnswer')).toBeGreaterThan(limitMs('keptQuery'));
  expect(limitMs('liveSample')).toBeGreaterThan(limitMs('firstInvariants'));
});
