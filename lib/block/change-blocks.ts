import 'server-only';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { announceBlocks } from './watch-blocks';

/** The number of the lock; any number that no other code uses. */
const LOCK = 0x626c6f636bn;

/**
 * Runs a change of the blocklist and tells every process. A lock makes changes take turns, so their `change` numbers
 * commit in order: a process that has read up to one number has missed none before it.
 */
export async function changeBlocks<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  const result = await transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
    return work(tx);
  });
  await announceBlocks();
  return result;
}
