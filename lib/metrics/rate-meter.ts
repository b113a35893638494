import { LRUCache } from 'lru-cache';

/** The time over which a rate is taken, about, as soon as one look is that old. */
const WINDOW_MS = 10_000;
const MAX_AGE_MS = 60_000;
/** A shorter time between two looks gives no useful rate. */
const MIN_SPAN_MS = 500;
const MAX_COUNTERS = 1_000;
/** Bounds the looks that are kept; the oldest go first. */
const MAX_LOOKS = 120;

type Look = { count: number; at: number };

/**
 * Measures how fast counters grow, from values that are read anyway: costs no query and no index.
 * @returns a function that takes a look: the counter's name, its value, and the time of the look in ms. It answers
 *   per second, over the last 10 to 60 s or since the first look; null at the first.
 */
export function createRateMeter(): (name: string, count: number, at: number) => number | null {
  const counters = new LRUCache<string, Look[]>({ max: MAX_COUNTERS });
  return (name, count, at) => {
    const looks = (counters.get(name) ?? []).filter((look) => look.at > at - MAX_AGE_MS && look.at <= at);
    const base = looks.findLast((look) => look.at <= at - WINDOW_MS) ?? looks[0];
    counters.set(name, [...looks, { count, at }].slice(-MAX_LOOKS));
    if (!base || at - base.at < MIN_SPAN_MS) return null;
    return Math.max(0, ((count - base.count) * 1_000) / (at - base.at));
  };
}
