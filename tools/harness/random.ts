/** Random choices that are the same at every run with the same seed. */
export type Random = {
  /** Returns a number from 0, below 1. */
  next(): number;
  /** Returns a whole number, both ends included. */
  int(from: number, to: number): number;
  /** Returns true with this probability (0 … 1). */
  chance(probability: number): boolean;
  /** Picks one of the values. @throws RangeError if there is nothing to choose from. */
  pick<T>(from: readonly T[]): T;
  /** Picks one of the names; a name's weight says how likely it is. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** Makes separate choices for a part: how many it draws, and when, changes nothing for the others. */
  fork(name: string): Random;
};

/** Makes a generator (mulberry32). @param seed any whole number; 32 bits of it count. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new RangeError('nothing to choose from');
      return from[Math.floor(next() * from.length)] as T;
    },
    weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new RangeError('nothing to choose from');
    },
    fork: (name) => createRandom(hash(`${seed}/${name}`)),
  };
}

/** Hashes a text with FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}
