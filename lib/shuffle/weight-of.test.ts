import { expect, it } from 'vitest';
import { weightOf } from './weight-of';

it.each([
  ['equal', { level: 9, hasBought: true }, 1],
  ['level', { level: 0, hasBought: true }, 1],
  ['level', { level: 4, hasBought: false }, 5],
  ['level', { level: 9, hasBought: false }, 10],
  ['level', { level: 1_000, hasBought: false }, 10],
  ['bought_before', { level: 9, hasBought: false }, 1],
  ['bought_before', { level: 0, hasBought: true }, 3],
] as const)('[M4] the rule %s gives %j %i tickets', (rule, person, tickets) => {
  expect(weightOf(rule, person)).toBe(tickets);
});
