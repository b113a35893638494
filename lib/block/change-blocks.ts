import 'server-only';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { announceBlocks } from './watch-blocks';

/** Names the lock; any number nobody else uses. */
const LOCK = 0x626c6f636bn;

/**
 * Runs a change of the blocklist and tells every process. Changes follow one another: their `change` numbers then commit
 * in order, and a process that has read up to one has missed none before it.
 */
export async function changeBlocks<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  const result = await transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
    return work(tx);
  });
  await announceBlocks();
  return result;
}
