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

/**
 * Marks the round claimed at `at` as applied, unless a later one is; no other is marked before `tx` ends. A mark in the
 * future was left by a clock that has been set back.
 * @returns whether its readings count
 */
export async function markApplied(tx: Db, at: Date): Promise<boolean> {
  const marked = await tx.$executeRaw`
    UPDATE alert_evaluation SET applied_at = ${at}
    WHERE applied_at IS NULL OR applied_at < ${at} OR applied_at > now() + interval '1 minute'`;
  return marked === 1;
}
