import { describe, expect, it, vi } from 'vitest';
import { ClockStore } from './clock-store';

const TEN_MINUTES_MS = 600_000;
const near = (store: ClockStore, serverTime: number) => Math.abs(store.now() - serverTime) < 50;

describe('what the page takes for the time', () => {
  it('[A3] goes by the device until the server says anything, then by the server', () => {
    const store = new ClockStore();
    expect(store.read().source).toBe('device');
    const serverTime = Date.now() + TEN_MINUTES_MS;
    store.hint(serverTime);
    expect(near(store, serverTime)).toBe(true);
  });

  it('[A3] replaces a hint by the first sample, however slow, and takes no hint afterwards', () => {
    const store = new ClockStore();
    store.hint(Date.now() + TEN_MINUTES_MS - 1000);
    const serverTime = Date.now() + TEN_MINUTES_MS;
    const now = performance.now();
    store.add({ sentAt: now - 400, receivedAt: now + 400, serverTime });
    expect(near(store, serverTime)).toBe(true);
    store.hint(serverTime - 1000);
    expect(near(store, serverTime)).toBe(true);
  });

  it('[A3] believes the first answer after the device slept, also a hint', () => {
    const store = new ClockStore();
    const now = performance.now();
    store.add({ sentAt: now - 5, receivedAt: now + 5, serverTime: Date.now() });
    const wall = Date.now.bind(Date);
    const slept = vi.spyOn(Date, 'now').mockImplementation(() => wall() + TEN_MINUTES_MS);
    store.hint(Date.now());
    expect(near(store, Date.now())).toBe(true);
    store.hint(Date.now() + TEN_MINUTES_MS);
    expect(near(store, Date.now())).toBe(true);
    slept.mockRestore();
    // Woken once more, with a slow answer.
    store.add({
      sentAt: performance.now() - 30_000,
      receivedAt: performance.now() + 30_000,
      serverTime: wall(),
    });
    expect(near(store, wall())).toBe(true);
  });

  it('[A3] tells everybody who listens', () => {
    const store = new ClockStore();
    let told = 0;
    store.subscribe(() => {
      told += 1;
    });
    store.hint(Date.now());
    expect(told).toBe(1);
  });
});
