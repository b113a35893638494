import 'server-only';
import { type Db, db } from '@/lib/db/client';

/** Alerts are evaluated so often, by whichever worker comes first. */
const EVALUATE_EVERY_MS = 15_000;

/**
 * Takes this round's evaluation, if the last one was taken 15 s ago or earlier.
 * @returns its moment by Postgres's clock; null if it is another worker's, or not yet time.
 */
export async function claimEvaluation(): Promise<Date | null> {
  const [row] = await db().$queryRaw<{ at: Date }[]>`
    UPDATE alert_evaluation SET at = now()
    WHERE at <= now() - make_interval(secs => ${EVALUATE_EVERY_MS / 1_000}::float) OR at > now() + interval '1 minute'
    RETURNING at`;
  return row?.at ?? null;
}

/** Whether the round taken at `at` is still the latest; if so, no other is taken before `tx` ends. */
export async function holdsEvaluation(tx: Db, at: Date): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM alert_evaluation WHERE at = ${at} FOR UPDATE`;
  return rows.length === 1;
}
