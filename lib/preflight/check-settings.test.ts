import { describe, expect, it } from 'vitest';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { checkSettings } from './check-settings';
import { differenceOf, surelyApart } from './measure-clocks';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const SOUND = {
  startsAt: NOW + HOUR_MS,
  endsAt: NOW + 2 * HOUR_MS,
  paymentWindowSec: 900,
  reservation: null,
  limits: null,
  limitPerUser: 1,
  totalStock: 100,
  requireVerifiedEmail: false,
} as SaleInfo;
const limit = (count: number, windowSec = 1) => ({
  algorithm: 'fixed-window' as const,
  limit: count,
  windowSec,
});

/** Returns what is wrong with a sale that differs from the sound one only in this. */
const wrong = (difference: Partial<SaleInfo>, isMailSent = false): string[] =>
  checkSettings({ ...SOUND, ...difference }, NOW, isMailSent).flatMap(({ id, ok, reason, severity }) =>
    ok ? [] : [`${severity} ${id} ${reason}`],
  );

describe('settings before the start', () => {
  it('[L3] sound ones are not complained of', () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ requireVerifiedEmail: true }, true)).toEqual([]);
    expect(wrong({ reservation: { opensAt: NOW, closesAt: NOW + 1 } })).toEqual([]);
    expect(wrong({ limits: { user: limit(5), ip: limit(50), interface: limit(1_000) } })).toEqual([]);
    expect(wrong({ totalStock: -1, limits: { interface: limit(1, 86_400) } })).toEqual([]);
  });

  it.each<[string, Partial<SaleInfo>]>([
    ['window over', { startsAt: NOW - 2, endsAt: NOW }],
    ['window started', { startsAt: NOW }],
    ['payment short', { paymentWindowSec: 119 }],
    ['payment long', { paymentWindowSec: 86_401 }],
    ['reservation over', { reservation: { opensAt: NOW - 2, closesAt: NOW } }],
    ['limits user_low', { limits: { user: limit(1) } }],
    ['limits user_low', { limits: { user: limit(4) }, limitPerUser: 5 }],
    ['limits ip_low', { limits: { ip: limit(2) } }],
    ['limits ip_low', { limits: { user: limit(10), ip: limit(29) } }],
    ['limits interface_low', { limits: { ip: limit(100), interface: limit(99) } }],
    ['limits never_sold_out', { limits: { interface: limit(99, 3_600) } }],
    ['mail not_sent', { requireVerifiedEmail: true }],
  ])('[L3] %s is a warning, and the only one', (expected, difference) => {
    expect(wrong(difference)).toEqual([`warn ${expected}`]);
  });
});

describe('clocks', () => {
  it('are apart only as far as that is sure', () => {
    expect(surelyApart({ min: -20, max: 30 })).toBe(0);
    expect(surelyApart({ min: 20, max: 30 })).toBe(20);
    expect(surelyApart({ min: -30, max: -20 })).toBe(20);
    expect(surelyApart(differenceOf({ min: 20, max: 30 }, { min: -5, max: 5 }))).toBe(15);
  });
});
