import { join } from 'node:path';
import { endOrphans } from './end-orphans.mjs';
import { takeLock } from './lock-file.mjs';
import { Problem } from './problem.mjs';

/**
 * One start per data directory. What an earlier start left running (only its supervisor was killed) is ended first.
 * @param {string} dir data directory
 * @returns {Promise<{ orphans: string[], release: () => void }>} `orphans`: the names of the parts that were ended
 * @throws {Problem} when another start is alive.
 */
export async function takeStartLock(dir) {
  const { release, holder } = takeLock(join(dir, 'start.lock'));
  if (!release) {
    throw new Problem(
      `Another start (process ${holder.pid || 'unknown'}) already uses ${dir}: stop it first, or set SECKILL_DATA_DIR and PORT for a second one.`,
    );
  }
  return { orphans: await endOrphans(dir), release };
}
