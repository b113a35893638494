import 'server-only';
import { type Db, db } from '@/lib/db/client';

/** How often alerts are evaluated, by the worker that comes first. */
const EVALUATE_EVERY_MS = 15_000;

/**
 * Claims this round's evaluation, if the last one was claimed 15 s ago or earlier.
 * @returns its moment by Postgres's clock; null if another worker has it, or it is too early.
 */
export async function claimEvaluation(): Promise<Date | null> {
  const [row] = await db().$queryRaw<{ at: Date }[]>`
    UPDATE alert_evaluation SET at = now()
    WHERE at <= now() - make_interval(secs => ${EVALUATE_EVERY_MS / 1_000}::float) OR at > now() + interval '1 minute'
    RETURNING at`;
  return row?.at ?? null;
}

/** Tells whether the round claimed at `at` is still the latest; if so, no other can be claimed before `tx` ends. */
export async function holdsEvaluation(tx: Db, at: Date): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM alert_evaluation WHERE at = ${at} FOR UPDATE`;
  return rows.length === 1;
}
