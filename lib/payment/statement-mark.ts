import 'server-only';
import { db } from '@/lib/db/client';

/** Each provider's statement is read so often, by whichever worker comes first, s. */
const EVERY_SEC = 60;
/** Where the first reading of all begins. Of older payments `npm run verify` knows. */
const FIRST_LOOK_HOURS = 25;

/**
 * Takes this minute's reading of a provider's statement.
 * @returns up to when it has been read before, epoch ms; null if it is another worker's turn, or not yet time.
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

/** Notes that everything the provider took before a moment has been looked at; never goes back. @param untilMs epoch ms */
export async function markRead(provider: string, untilMs: number): Promise<void> {
  await db().$executeRaw`
    UPDATE statement_marks SET read_until = greatest(read_until, ${new Date(untilMs)}) WHERE provider = ${provider}`;
}
