import 'server-only';
import { type Db, db } from '@/lib/db/client';

/** How often a worker, whichever comes first, reads each provider's statement, s. */
const EVERY_SEC = 60;
/** How far back the very first reading begins. `npm run verify` covers older payments. */
const FIRST_LOOK_HOURS = 25;

/**
 * Claims this minute's reading of a provider's statement.
 * @returns up to when it was read before, epoch ms; null if it is another worker's turn, or not yet time.
 */
export async function claimStatement(provider: string): Promise<number | null> {
  const [row] = await db().$queryRaw<{ readUntil: Date }[]>`
    INSERT INTO statement_marks AS m (provider, read_until)
    VALUES (${provider}, now() - make_interval(hours => ${FIRST_LOOK_HOURS}::int))
    ON CONFLICT (provider) DO UPDATE SET claimed_at = now()
    WHERE m.claimed_at <= now() - make_interval(secs => ${EVERY_SEC}::int)
    RETURNING read_until AS "readUntil"`;
  return row?.readUntil.getTime() ?? null;
}

/** Records that a worker has read everything the provider took before a moment; never goes back. @param untilMs epoch ms */
export async function markRead(provider: string, untilMs: number): Promise<void> {
  await db().$executeRaw`
    UPDATE statement_marks SET read_until = greatest(read_until, ${new Date(untilMs)}) WHERE provider = ${provider}`;
}

/**
 * Has every provider's statement read once more from a moment on, in a minute: what was read already may belong to
 * orders that are only now being written again. @param sinceMs epoch ms
 */
export async function readAgainFrom(tx: Db, sinceMs: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE statement_marks SET read_until = least(read_until, ${new Date(sinceMs)}), claimed_at = now()`;
}
