import type { LimitAlgorithm } from '@/lib/contract/words/limit';

/** Returns for calls at growing times how long each must wait. Remembers everything and computes without rounding. */
export type Model = { call: (now: number) => number };

/** The promise of each algorithm, computed in another way than the algorithm: slower, and easier to believe. */
export const models: Record<LimitAlgorithm, (limit: number, windowMs: number) => Model> = {
  'fixed-window': (limit, windowMs) => {
    const admitted: number[] = [];
    /** When the window was opened; windows never overlap. */
    let opened = Number.NEGATIVE_INFINITY;
    return {
      call(now) {
        if (now >= opened + windowMs) opened = now;
        if (admitted.filter((at) => at >= opened).length >= limit) return opened + windowMs - now;
        admitted.push(now);
        return 0;
      },
    };
  },

  'sliding-window': (limit, windowMs) => {
    const slotMs = limit <= 30 ? 1 : Math.ceil(windowMs / 30);
    /** For each call, the last moment at which it may have been made, as its slot shows. */
    const ends: number[] = [];
    return {
      call(now) {
        const counting = ends.filter((end) => end > now - windowMs).sort((a, b) => a - b);
        if (counting.length >= limit) return (counting[counting.length - limit] ?? 0) + windowMs - now;
        ends.push((Math.floor(now / slotMs) + 1) * slotMs - 1);
        return 0;
      },
    };
  },

  'token-bucket': (limit, windowMs) => {
    const [limitParts, windowParts] = [BigInt(limit), BigInt(windowMs)];
    const admitted: number[] = [];
    /** Returns the tokens at a time, times windowMs. Goes through every call since the beginning again. */
    const tokensAt = (time: number): bigint => {
      let tokens = limitParts * windowParts;
      let since = admitted[0] ?? time;
      const fill = (until: number) => {
        const filled = tokens + BigInt(until - since) * limitParts;
        tokens = filled < limitParts * windowParts ? filled : limitParts * windowParts;
        since = until;
      };
      for (const at of admitted) {
        fill(at);
        tokens -= windowParts;
      }
      fill(time);
      return tokens;
    };
    return {
      call(now) {
        let waitMs = 0;
        const missing = windowParts - tokensAt(now);
        if (missing > 0n) waitMs = Number((missing + limitParts - 1n) / limitParts);
        if (waitMs === 0) admitted.push(now);
        return waitMs;
      },
    };
  },

  // Virtual scheduling, the other form of ITU-T I.371: when the next call is due, times limit.
  'leaky-bucket': (limit, windowMs) => {
    const [scale, interval] = [BigInt(limit), BigInt(windowMs)];
    let due = 0n;
    return {
      call(now) {
        const time = BigInt(now) * scale;
        const tooEarly = due - (interval * scale - interval) - time;
        if (tooEarly > 0n) return Number((tooEarly + scale - 1n) / scale);
        due = (due > time ? due : time) + interval;
        return 0;
      },
    };
  },
};
