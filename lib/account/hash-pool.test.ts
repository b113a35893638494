import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHashPool } from './hash-pool';

const NICENESS = 10;
const NICENESS_AT = 16;

/** Returns the niceness of one of this process's threads. */
const nicenessOf = (thread: number | string): number => {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICENESS_AT]);
};
const threads = () => readdirSync('/proc/self/task');

describe('the threads for passwords', () => {
  it('[N4] know a password again, and no other', async () => {
    const pool = createHashPool(2);
    const [hash, other] = await Promise.all([pool.hash('correct horse'), pool.hash('battery staple')]);
    expect(await pool.verify(hash, 'correct horse')).toBe(true);
    expect(await pool.verify(other, 'correct horse')).toBe(false);
    await expect(pool.verify('no hash', 'correct horse')).rejects.toThrow();
  });

  // Under a `nice` of its own a run can't tell low from usual.
  it.runIf(process.platform === 'linux' && nicenessOf(process.pid) < NICENESS)(
    '[N4] have a low weight, and leave the main thread its own',
    async () => {
      const [before, own] = [new Set(threads()), nicenessOf(process.pid)];
      const pool = createHashPool(2);
      await Promise.all([pool.hash('correct horse'), pool.hash('battery staple')]);
      const weights = threads().flatMap((thread) => (before.has(thread) ? [] : [nicenessOf(thread)]));
      expect(weights.filter((niceness) => niceness === NICENESS)).toHaveLength(2);
      expect(nicenessOf(process.pid)).toBe(own);
    },
  );
});
