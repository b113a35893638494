import { describe, expect, it } from 'vitest';
import { findUnmetThreshold } from './find-unmet-threshold';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const none = { minLevel: 0, minAccountAgeSec: 0, requireVerifiedEmail: false };

describe('thresholds of a sale', () => {
  it('[G6] that sets none are met by anybody, also by who is hardly known', () => {
    expect(findUnmetThreshold(none, { level: 0 }, NOW)).toBeNull();
    expect(findUnmetThreshold(none, { level: 0, createdAt: NOW, emailVerifiedAt: null }, NOW)).toBeNull();
  });

  it('[G6] level: from the asked one on', () => {
    const gold = { ...none, minLevel: 3 };
    expect(findUnmetThreshold(gold, { level: 2 }, NOW)).toEqual({ status: 'level_too_low', minLevel: 3 });
    expect(findUnmetThreshold(gold, { level: 3 }, NOW)).toBeNull();
  });

  it('[G6] age of the account: from its full age on, with the moment it will be reached', () => {
    const old = { ...none, minAccountAgeSec: 86_400 };
    const young = findUnmetThreshold(old, { level: 0, createdAt: NOW - DAY + 1 }, NOW);
    expect(young).toEqual({ status: 'account_too_new', oldEnoughAt: NOW + 1 });
    expect(findUnmetThreshold(old, { level: 0, createdAt: NOW - DAY }, NOW)).toBeNull();
    expect(findUnmetThreshold(old, { level: 0 }, NOW)).toEqual({
      status: 'account_too_new',
      oldEnoughAt: null,
    });
  });

  it('[G6] verified e-mail', () => {
    const verified = { ...none, requireVerifiedEmail: true };
    expect(findUnmetThreshold(verified, { level: 9, emailVerifiedAt: null }, NOW)).toEqual({
      status: 'email_unverified',
    });
    expect(findUnmetThreshold(verified, { level: 9 }, NOW)).toEqual({ status: 'email_unverified' });
    expect(findUnmetThreshold(verified, { level: 0, emailVerifiedAt: 1 }, NOW)).toBeNull();
  });
});
