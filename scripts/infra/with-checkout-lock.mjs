import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from './lock-file.mjs';

const ASK_AGAIN_MS = 250;
const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM']);

/**
 * Runs what changes the checkout itself (installing, generating, building) while no other start, test or command does.
 * @template T
 * @param {string} root repository root
 * @param {() => Promise<T>} work looks first whether it is still needed: the other may have done it
 * @param {import('./progress.mjs').Wait} [wait] told who is waited for
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
    // Nobody can install or build there; `work` says so if it has to.
    if (READ_ONLY.has(error.code)) return { release: () => {} };
    throw error;
  }
}
