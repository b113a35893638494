import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { delay } from './delay';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Begins to wait. @returns whether the wait is over */
function begin(ms: number, signal = new AbortController().signal): () => boolean {
  let isOver = false;
  void delay(ms, signal).then(() => {
    isOver = true;
  });
  return () => isOver;
}
/** Lets the wall clock go on while timers and the monotonic clock stand still. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

it('[P7 A3] a wait goes on while the device sleeps', async () => {
  const [short, long] = [begin(60_000), begin(3_600_000)];
  await vi.advanceTimersByTimeAsync(10_000);
  sleep(1_800_000);
  await vi.advanceTimersByTimeAsync(1_001);
  expect([short(), long()]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(1_788_000);
  expect(long()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(long()).toBe(true);
});

it('[P7] a wait is no longer because somebody set the clock back, and leaves no timer', async () => {
  const isOver = begin(10_000);
  sleep(-600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isOver()).toBe(true);
  const controller = new AbortController();
  const isEnded = begin(10_000, controller.signal);
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(isEnded()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
