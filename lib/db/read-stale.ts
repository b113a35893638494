import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import type { PrismaClient } from '@/prisma/generated/client';
import { db } from './client';
import { distrust, freshReplica } from './replicas';
import { sqlState } from './sql-state';

/** The primary has removed rows that the statement still needed, or the replica may not do what was asked of it. */
const GIVEN_UP = new Set(['40001', '25006']);

/**
 * Reads what may be a moment old: from a replica if one is configured and fresh enough (`freshReplica`), otherwise, or
 * if the replica fails, from the primary. For lists and reports of the admin area; never for a shopper's own order,
 * and never for what is kept or written afterwards.
 * @param read reads with the client it gets, and with nothing else; may be called twice
 */
export async function readStale<T>(read: (client: PrismaClient) => Promise<T>): Promise<T> {
  const replica = freshReplica();
  if (!replica) return read(db());
  try {
    return await read(replica.client);
  } catch (error) {
    if (!isOutage(error) && !GIVEN_UP.has(sqlState(error) ?? '')) throw error;
    distrust(replica);
    return read(db());
  }
}
