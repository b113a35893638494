import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from './lock-file.mjs';

const ASK_AGAIN_MS = 250;
const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM']);

/**
 * Runs work that changes the checkout itself (installing, generating, building) while no other start, test or command
 * does.
 * @template T
 * @param {string} root repository root
 * @param {() => Promise<T>} work first checks whether it is still needed: the other process may have done it
 * @param {import('./progress.mjs').Wait} [wait] called with the process it waits for
 * @returns {Promise<T>}
 */
export async function withCheckoutLock(root, work, wait = () => {}) {
  for (;;) {
    const lock = tryToTake(root);
    if (lock.release) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    const { pid } = lock.holder;
    wait(() => `another command (process ${pid || 'unknown'}) is installing or building in this checkout`);
    await sleep(ASK_AGAIN_MS);
  }
}

function tryToTake(root) {
  try {
    return takeLock(join(root, '.seckill-checkout.lock'));
  } catch (error) {
    // No process can install or build there; `work` reports that if it has to.
    if (READ_ONLY.has(error.code)) return { release: () => {} };
    throw error;
  }
}
