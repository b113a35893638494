import 'server-only';
import { randomUUID } from 'node:crypto';
import type { Live, LivePoint } from '@/lib/contract/shapes/live';
import { log } from '@/lib/http/log';
import { limitMs } from '@/lib/time-limits';
import { countFigures } from './count-figures';
import { leaveTurn, MAX_POINTS, readPoints, readSample, shareSample, takeTurn } from './shared-sample';
import { toPoint } from './to-point';

const COUNT_EVERY_MS = 1_000;
const TICK_MS = 250;
/** A feed lives this long after a request, so a page that asks each second keeps it going. */
const LINGER_MS = 2_500;
/** A sample up to this age still answers a request. */
const FRESH_MS = 1_500;
const MAX_FEEDS = 500;

type Listener = (live: Live) => void;
type Waiter = { resolve: (live: Live | null) => void; reject: (error: unknown) => void };

/** The figures of one sale in this process, second by second, for as long as a page asks for them. */
export type LiveFeed = {
  /** Returns the latest figures, or the next ones if those are too old; null if none come in time. @throws why not */
  read: () => Promise<Live | null>;
  /** Returns the points drawn after `since`, epoch ms. */
  pointsSince: (since: number) => LivePoint[];
  /** Calls back with each new sample. @returns a function that stops that */
  follow: (listener: Listener) => () => void;
};

/** Names this process where processes take turns at counting. */
export const me = randomUUID();
const feeds = new Map<string, LiveFeed>();

/** Returns the feed of a sale, and starts it if there is none. @returns null if there are too many. */
export function liveFeed(saleId: string): LiveFeed | null {
  const known = feeds.get(saleId);
  if (known) return known;
  if (feeds.size >= MAX_FEEDS) return null;
  const feed = startFeed(saleId, () => feeds.delete(saleId));
  feeds.set(saleId, feed);
  return feed;
}

/**
 * Starts a feed. Of all processes with a live page open one holds the turn: it counts each second and shares the
 * result through Redis; the others read it. Without that Redis each process counts for itself.
 */
function startFeed(saleId: string, onIdle: () => void): LiveFeed {
  const listeners = new Set<Listener>();
  let waiters: Waiter[] = [];
  let points: LivePoint[] = [];
  let latest: { live: Live; receivedAt: number } | null = null;
  let askedAt = performance.now();
  let countAt = 0;
  let isCounting = false;
  let isTicking = false;

  const publish = (live: Live) => {
    if (latest?.live.at === live.at) return;
    latest = { live, receivedAt: performance.now() };
    if (live.at > (points.at(-1)?.at ?? 0)) points = [...points, toPoint(live)].slice(-MAX_POINTS);
    const waiting = waiters;
    waiters = [];
    for (const { resolve } of waiting) resolve(live);
    for (const listener of listeners) listener(live);
  };

  const count = async () => {
    isCounting = true;
    countAt = Math.max(countAt + COUNT_EVERY_MS, performance.now() + COUNT_EVERY_MS / 2);
    try {
      const live = await countFigures(saleId, latest?.live ?? null);
      if (!live) throw new Error(`there is no sale ${saleId} any more`);
      publish(live);
      // If a process gets no sample, it counts for itself.
      await shareSample(live).catch(() => {});
    } catch (error) {
      log.warn({ saleId, err: error }, 'the live figures could not be counted');
      const waiting = waiters;
      waiters = [];
      for (const { reject } of waiting) reject(error);
    } finally {
      isCounting = false;
    }
  };

  const tick = async () => {
    if (isTicking) return;
    isTicking = true;
    try {
      const isMine = await takeTurn(saleId, me).catch(() => true);
      if (!isMine) {
        const shared = await readSample(saleId).catch(() => null);
        if (shared) publish(shared);
      } else if (!isCounting && performance.now() >= countAt) void count();
    } finally {
      isTicking = false;
    }
    if (listeners.size > 0 || performance.now() - askedAt < LINGER_MS || waiters.length > 0) return;
    clearInterval(timer);
    onIdle();
    await leaveTurn(saleId, me).catch(() => {});
  };

  const timer = setInterval(() => void tick(), TICK_MS).unref();
  void readPoints(saleId)
    .catch(() => [])
    .then((kept) => {
      points = [...kept, ...points].slice(-MAX_POINTS);
      return tick();
    });

  return {
    read() {
      askedAt = performance.now();
      if (latest && askedAt - latest.receivedAt < FRESH_MS) return Promise.resolve(latest.live);
      return new Promise((resolve, reject) => {
        const waiter = { resolve, reject };
        waiters.push(waiter);
        setTimeout(() => {
          waiters = waiters.filter((one) => one !== waiter);
          resolve(null);
        }, limitMs('liveSample')).unref();
      });
    },
    pointsSince: (since) => points.filter(({ at }) => at > since),
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
