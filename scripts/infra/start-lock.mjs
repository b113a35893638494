import { join } from 'node:path';
import { endOrphans } from './end-orphans.mjs';
import { takeLock } from './lock-file.mjs';
import { Problem } from './problem.mjs';

/**
 * Allows one start per data directory. First ends what an earlier start left running (when only its supervisor was
 * killed).
 * @param {string} dir data directory
 * @returns {Promise<{ orphans: string[], release: () => void }>} `orphans`: the names of the parts it ended
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
