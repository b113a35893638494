import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { countTry } from './count-try';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  // The cache takes the moment 0 for "never".
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

it('[M9] counts the tries of each account, and forgets them a minute after the first', () => {
  const [ann, ben] = [newId('user'), newId('user')];
  expect([countTry(ann), countTry(ann), countTry(ben)]).toEqual([1, 2, 1]);
  vi.advanceTimersByTime(59_000);
  expect(countTry(ann)).toBe(3);
  vi.advanceTimersByTime(1_001);
  expect(countTry(ann)).toBe(1);
});
