import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onReturn, onWake } from './on-return';

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
let returns = 0;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  page.visibilityState = 'visible';
  returns = 0;
  stop = onReturn(() => {
    returns += 1;
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets the wall clock go on while timers and the monotonic clock stand still. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('[A3] a page that may have missed something', () => {
  it('notices within a second of waking that the device slept, once', () => {
    vi.advanceTimersByTime(10_000);
    expect(returns).toBe(0);
    sleep(60_000);
    vi.advanceTimersByTime(1000);
    expect(returns).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(returns).toBe(1);
  });

  it('looks when it comes to the front and when the network is back, and never while it is hidden', () => {
    page.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
    expect(returns).toBe(2);
    page.visibilityState = 'hidden';
    page.dispatchEvent(new Event('visibilitychange'));
    sleep(60_000);
    vi.advanceTimersByTime(2000);
    expect(returns).toBe(2);
  });

  it('learns how long that was, so that a wait goes on in time', () => {
    const naps: number[] = [];
    const end = onWake((ms) => naps.push(ms));
    sleep(60_000);
    vi.advanceTimersByTime(3000);
    sleep(-5_000);
    vi.advanceTimersByTime(3000);
    end();
    expect(naps).toEqual([60_000, -5_000]);
  });

  it('is left alone when nobody listens any more', () => {
    stop();
    page.dispatchEvent(new Event('visibilitychange'));
    sleep(60_000);
    vi.advanceTimersByTime(2000);
    expect(returns).toBe(0);
  });
});
