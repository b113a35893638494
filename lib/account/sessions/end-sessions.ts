import 'server-only';
import type { Db } from '@/lib/db/client';

/** The number of the lock; any number that no other code uses. */
const LOCK = 0x73657373696f6en;

/**
 * Ends sessions of an account within a transaction. After the commit the caller must call `announceEndedSessions`;
 * then no process accepts their entry tokens any more. A lock makes the changes take turns, so their numbers commit
 * in order: a process that has read up to one number has missed none before it.
 * @param which all, all but one, or only these
 * @returns how many have ended now
 */
export async function endSessions(
  tx: Db,
  userId: string,
  which: { except?: string; only?: readonly string[] } = {},
): Promise<number> {
  const { except = '', only = null } = which;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  return tx.$executeRaw`
    UPDATE sessions SET ended_at = now(), change = nextval('sessions_change_seq')
    WHERE user_id = ${userId} AND ended_at IS NULL AND id <> ${except}
      AND (${only === null} OR id = ANY (${[...(only ?? [])]}::text[]))`;
}
