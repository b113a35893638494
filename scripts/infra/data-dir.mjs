import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.mjs';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

/**
 * Makes and checks the folder with everything this installation keeps.
 * @param {string} root repository root @param {string} [configured] SECKILL_DATA_DIR
 * @returns {{ dir: string, logs: string }} absolute paths.
 * @throws {Problem} when it can't be written.
 */
export function dataDir(root, configured) {
  const dir = resolve(root, configured || '.data');
  const logs = join(dir, 'logs');
  try {
    mkdirSync(logs, { recursive: true, mode: 0o755 });
    chmodSync(logs, 0o700);
    const probe = join(dir, `.probe-${process.pid}`);
    writeFileSync(probe, 'x');
    rmSync(probe);
  } catch (error) {
    if (error.code === 'ENOSPC') {
      throw new Problem(
        `The disk with ${dir} is full: free some space, or name another place with SECKILL_DATA_DIR.`,
      );
    }
    throw new Problem(
      `The data directory ${dir} cannot be written (${error.code}): choose another with SECKILL_DATA_DIR=/some/folder npm start.`,
    );
  }
  return { dir, logs };
}

/** The log file of a part, with the last one kept as `.1` once it has grown large. */
export function logFile(logs, name) {
  const file = join(logs, `${name}.log`);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG_BYTES)
    renameSync(file, `${file}.1`);
  return file;
}
