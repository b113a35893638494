import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHashPool } from './hash-pool';

/** What Linux calls the scheduling class "idle" in a thread's `stat`. */
const SCHED_IDLE = '5';
const POLICY_AT = 38;
const hasChrt = process.platform === 'linux' && spawnSync('chrt', ['--version']).error === undefined;

const policyOf = (thread: number | string) => {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[POLICY_AT];
};
const policies = () => readdirSync('/proc/self/task').map(policyOf);

describe('the threads for passwords', () => {
  it('[N4] know a password again, and no other', async () => {
    const pool = createHashPool(2);
    const [hash, other] = await Promise.all([pool.hash('correct horse'), pool.hash('battery staple')]);
    expect(await pool.verify(hash, 'correct horse')).toBe(true);
    expect(await pool.verify(other, 'correct horse')).toBe(false);
    await expect(pool.verify('no hash', 'correct horse')).rejects.toThrow();
  });

  it.runIf(hasChrt)('[N4] leave the processor to whoever else wants it', async () => {
    await createHashPool(1).hash('correct horse');
    await expect.poll(policies).toContain(SCHED_IDLE);
    // The numbers of threads begin anew at some time, so the first in the list may be another.
    expect(policyOf(process.pid)).not.toBe(SCHED_IDLE);
  });
});
