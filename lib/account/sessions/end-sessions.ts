import 'server-only';
import type { Db } from '@/lib/db/client';

/** Names the lock; any number nobody else uses. */
const LOCK = 0x73657373696f6en;

/**
 * Ends sessions of an account, as part of a transaction. Whoever commits it calls `announceEndedSessions` next: then no
 * process takes their entry tokens any more. Changes follow one another: their numbers then commit in order, and a
 * process that has read up to one has missed none before it.
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
