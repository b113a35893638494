import { describe, expect, it } from 'vitest';
import { nextState, type Standing } from './next-state';

const rule = { threshold: 10, forSec: 30, enabled: true };
const T = 1_000_000;
const firing = (clearSince: number | null = null): Standing => ({ state: 'firing', since: T, clearSince });
const pending: Standing = { state: 'pending', since: T, clearSince: null };

describe('nextState', () => {
  it('[J1] at the threshold nothing begins, above it the alert is pending', () => {
    expect(nextState(null, 10, rule, T)).toEqual({ next: 'none' });
    expect(nextState(null, 10.1, rule, T)).toEqual({ next: 'pending' });
  });

  it('[J1] fires after 30 s of breach and not before; one that ends before was nothing', () => {
    expect(nextState(pending, 11, rule, T + 29_999)).toEqual({ next: 'pending' });
    expect(nextState(pending, 11, rule, T + 30_000)).toEqual({
      next: 'firing',
      isNew: true,
      clearSince: null,
    });
    expect(nextState(pending, 10, rule, T + 30_000)).toEqual({ next: 'none' });
  });

  it('[J1] fires at once where the rule says so', () => {
    expect(nextState(null, 1, { ...rule, threshold: 0, forSec: 0 }, T)).toMatchObject({
      next: 'firing',
      isNew: true,
    });
  });

  it('[J1] ends after a minute below nine tenths of the threshold, and only then', () => {
    const still = { next: 'firing', isNew: false };
    expect(nextState(firing(), 9.5, rule, T)).toEqual({ ...still, clearSince: null });
    expect(nextState(firing(), 9, rule, T)).toEqual({ ...still, clearSince: T });
    expect(nextState(firing(T), 9, rule, T + 59_999)).toEqual({ ...still, clearSince: T });
    expect(nextState(firing(T), 9, rule, T + 60_000)).toEqual({ next: 'resolved' });
    expect(nextState(firing(T), 9.5, rule, T + 60_000)).toEqual({ ...still, clearSince: null });
  });

  it('[J1] with a threshold of 0 nothing but 0 is good', () => {
    const zero = { ...rule, threshold: 0 };
    expect(nextState(firing(T), 0, zero, T + 60_000)).toEqual({ next: 'resolved' });
    expect(nextState(firing(T), 1, zero, T + 60_000)).toMatchObject({ next: 'firing', clearSince: null });
  });

  it('[J1] a rule that is switched off begins nothing and ends what stands', () => {
    const off = { ...rule, enabled: false };
    expect(nextState(null, 99, off, T)).toEqual({ next: 'none' });
    expect(nextState(pending, 99, off, T)).toEqual({ next: 'none' });
    expect(nextState(firing(), 99, off, T)).toEqual({ next: 'resolved' });
  });
});
