import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from './problem.mjs';

/** @param {string} root repository root @param {string} [configured] SECKILL_DATA_DIR */
export const dataDirPath = (root, configured) => resolve(root, configured || '.data');

/**
 * Creates and checks the folder that holds everything this installation keeps.
 * @param {string} root repository root @param {string} [configured] SECKILL_DATA_DIR
 * @returns {{ dir: string, logs: string }} absolute paths.
 * @throws {Problem} when it can't be written; on a full disk the file system's own error.
 */
export function dataDir(root, configured) {
  const dir = dataDirPath(root, configured);
  const logs = join(dir, 'logs');
  try {
    mkdirSync(logs, { recursive: true, mode: 0o755 });
    chmodSync(logs, 0o700);
    const probe = join(dir, `.probe-${process.pid}`);
    writeFileSync(probe, 'x');
    rmSync(probe);
  } catch (error) {
    if (error.code === 'ENOSPC') throw error;
    throw new Problem(
      `The data directory ${dir} cannot be written (${error.code}): choose another with SECKILL_DATA_DIR=/some/folder npm start.`,
    );
  }
  return { dir, logs };
}
