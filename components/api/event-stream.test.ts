import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEventStream } from './event-stream';

let sources: Source[];
let channels: Set<Channel>;
/** The windows that wait for the lock. */
let waiting: (() => void)[];
let isLocked: boolean;

class Source extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  onmessage?: (event: { data: string }) => void;
  onerror?: () => void;
  constructor(readonly url: string) {
    super();
    sources.push(this);
  }
  send(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  refuse() {
    this.close();
    this.onerror?.();
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

class Channel {
  onmessage?: (event: { data: unknown }) => void;
  constructor() {
    channels.add(this);
  }
  postMessage(data: unknown) {
    for (const channel of channels) if (channel !== this) channel.onmessage?.({ data });
  }
  close() {
    channels.delete(this);
  }
}

async function request(_: string, { signal }: { signal: AbortSignal }, work: () => Promise<boolean>) {
  if (isLocked)
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== resolve);
        reject(signal.reason);
      });
    });
  isLocked = true;
  try {
    return await work();
  } finally {
    isLocked = false;
    waiting.shift()?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  sources = [];
  channels = new Set();
  waiting = [];
  isLocked = false;
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', { locks: { request } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens the stream in one more window of the browser. */
function openWindow(url = '/sale/events') {
  const shown = { heard: [] as [unknown, number][], isHealthy: false };
  const close = openEventStream({
    url: () => url,
    silenceMs: 40_000,
    refused: { baseMs: 10_000, capMs: 10_000 },
    onMessage: (message, ageMs) => shown.heard.push([message, ageMs]),
    onHealth(isHealthy) {
      shown.isHealthy = isHealthy;
    },
  });
  return { shown, close };
}
const settled = () => vi.advanceTimersByTimeAsync(0);
const opened = () => sources.filter(({ readyState }) => readyState !== Source.CLOSED);

describe('[A3] the windows of a browser', () => {
  it('share one connection; a later one gets what came last, and how old it is', async () => {
    const [first, second] = [openWindow(), openWindow()];
    await settled();
    expect(opened()).toHaveLength(1);
    expect([first.shown.isHealthy, second.shown.isHealthy]).toEqual([false, false]);
    sources[0]?.send('live');
    vi.advanceTimersByTime(5_000);
    const third = openWindow();
    for (const { shown } of [first, second]) expect(shown.heard[0]).toEqual(['live', 0]);
    expect(third.shown).toEqual({ heard: [['live', 5_000]], isHealthy: true });
    expect(opened()).toHaveLength(1);
  });

  it('go on with the connection of the next one when its window closes', async () => {
    const [first, second] = [openWindow(), openWindow()];
    sources[0]?.send('live');
    expect(second.shown.isHealthy).toBe(true);
    first.close();
    expect(second.shown.isHealthy).toBe(false);
    await settled();
    expect(opened()).toHaveLength(1);
    sources[1]?.send('paused');
    expect(second.shown).toEqual({
      heard: [
        ['live', 0],
        ['paused', 0],
      ],
      isHealthy: true,
    });
  });

  it('poll while another one hears of something else, whatever they heard before', async () => {
    const [first, other, second] = [openWindow(), openWindow('/other/events'), openWindow()];
    sources[0]?.send('live');
    expect([other.shown.isHealthy, second.shown.isHealthy]).toEqual([false, true]);
    // As if it crashed: it says nothing.
    for (const channel of [...channels].slice(0, 1)) channel.postMessage = () => {};
    first.close();
    await settled();
    expect(second.shown.isHealthy).toBe(false);
    sources[1]?.send('other');
    expect(other.shown).toEqual({ heard: [['other', 0]], isHealthy: true });
    expect(second.shown).toEqual({ heard: [['live', 0]], isHealthy: false });
  });

  it('poll when the one with the connection falls silent, and not while it has nothing new', async () => {
    const [, second] = [openWindow(), openWindow()];
    sources[0]?.send('live');
    for (let beats = 0; beats < 5; beats += 1) {
      vi.advanceTimersByTime(30_000);
      sources[0]?.dispatchEvent(new Event('beat'));
    }
    expect(second.shown.isHealthy).toBe(true);
    // It tells no more, and keeps the connection, as a window that stands still.
    for (const channel of channels) channel.postMessage = () => {};
    vi.advanceTimersByTime(20_000);
    sources[0]?.dispatchEvent(new Event('beat'));
    vi.advanceTimersByTime(20_000);
    expect(opened()).toEqual([sources[0]]);
    expect(second.shown.isHealthy).toBe(false);
  });

  it('let the next one try when the server refuses one', async () => {
    openWindow('/other/events');
    const second = openWindow();
    sources[0]?.refuse();
    await settled();
    expect(opened().map(({ url }) => url)).toEqual(['/sale/events']);
    sources[1]?.send('live');
    expect(second.shown.isHealthy).toBe(true);
    second.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(opened().map(({ url }) => url)).toEqual(['/other/events']);
  });

  it('open none where the browser has no locks', () => {
    vi.stubGlobal('navigator', {});
    openWindow().close();
    expect([sources, channels.size]).toEqual([[], 0]);
  });
});
