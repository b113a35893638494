import 'server-only';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { processWide } from '@/lib/process-wide';
import type { PrismaClient } from '@/prisma/generated/client';
import { db } from './client';
import { distrust, freshReplica } from './replicas';
import { sqlState } from './sql-state';

/** The primary has removed rows that the statement still needed, or the replica may not do what was asked of it. */
const GIVEN_UP = new Set(['40001', '25006']);

/**
 * Reads by their source: a replica, the primary because none was fresh enough, or the primary because the replica
 * failed.
 */
type StaleReads = Record<'replica' | 'none_fresh' | 'replica_failed', number>;

const counts = processWide(
  'stale-reads',
  (): StaleReads => ({ replica: 0, none_fresh: 0, replica_failed: 0 }),
);

/** Returns what this process has read since it started; null where no replica is configured. */
export const readStaleReads = (): Readonly<StaleReads> | null =>
  env().databaseReplicaUrls.length > 0 ? counts : null;

/**
 * Reads what may be a moment old: from a replica if one is configured and fresh enough (`freshReplica`), otherwise, or
 * if the replica fails, from the primary. For lists and reports of the admin area; never for a shopper's own order,
 * and never for what is kept or written afterwards.
 * @param read reads with the client it gets, and with nothing else; may be called twice
 */
export async function readStale<T>(read: (client: PrismaClient) => Promise<T>): Promise<T> {
  const replica = freshReplica();
  if (!replica) {
    counts.none_fresh += 1;
    return read(db());
  }
  try {
    const answer = await read(replica.client);
    counts.replica += 1;
    return answer;
  } catch (error) {
    if (!isOutage(error) && !GIVEN_UP.has(sqlState(error) ?? '')) throw error;
    distrust(replica);
    counts.replica_failed += 1;
    return read(db());
  }
}
