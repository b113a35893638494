import { beforeEach, describe, expect, it, vi } from 'vitest';
import { attemptKey, readAttempt, subscribeAttempt, updateAttempt } from './attempt-store';

/** A browser's storage, and the events by which other tabs' changes come. */
const stored = new Map<string, string>();
let isFull = false;
const heard = new Set<(event: { key: string }) => void>();
vi.stubGlobal('window', {
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('QuotaExceededError');
      stored.set(key, value);
    },
  },
  addEventListener: (_: string, listener: (event: { key: string }) => void) => heard.add(listener),
  removeEventListener: (_: string, listener: (event: { key: string }) => void) => heard.delete(listener),
});

let key = '';
let number = 0;
beforeEach(() => {
  isFull = false;
  number += 1;
  key = attemptKey('sale_1', `user_${number}`);
  updateAttempt(key, { quantity: 2 });
});

describe('an attempt whose change finds the storage full', () => {
  it('[A5] has that change all the same, as long as the page stays', () => {
    isFull = true;
    updateAttempt(key, { orderNo: '7' });
    expect(readAttempt(key)).toMatchObject({ quantity: 2, orderNo: '7' });
    isFull = false;
    updateAttempt(key, { refusal: 'PAUSED' });
    expect(JSON.parse(stored.get(key) ?? '')).toMatchObject({ orderNo: '7', refusal: 'PAUSED' });
  });

  it('[A5] gives way to what another tab stores later', () => {
    const told = vi.fn();
    const leave = subscribeAttempt(key, told);
    isFull = true;
    updateAttempt(key, { orderNo: '7' });
    stored.set(key, JSON.stringify({ ...readAttempt(key), orderNo: '8' }));
    for (const listener of heard) listener({ key });
    expect(told).toHaveBeenCalledTimes(2);
    expect(readAttempt(key).orderNo).toBe('8');
    leave();
    expect(heard.size).toBe(0);
  });
});
