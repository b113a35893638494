import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { type DeadLetterInput, recordDeadLetter } from './record-dead-letter';

/** The resolution of a dead letter that was tried again and then seemed to be solved. */
export const RETRIED = 'retried';

/** The resolution of a dead letter whose contradiction is gone: a repair or a new loading of Redis has ended it. */
const REPAIRED = 'repaired';

/**
 * Puts a problem that may come back in front of staff: records its dead letter, or reopens the one that a retry or a
 * repair had closed. A letter that staff closed with a reason stays closed.
 * @returns whether the problem is new or back
 */
export async function reportProblem(letter: DeadLetterInput): Promise<boolean> {
  if (await recordDeadLetter(letter)) return true;
  const { consumer, messageId, error } = letter;
  const { count } = await db().deadLetter.updateMany({
    where: { consumer, messageId, resolution: { in: [RETRIED, REPAIRED] } },
    data: { error, resolvedAt: null, resolution: null, resolvedBy: null },
  });
  return count === 1;
}

const SETTLERS = ['settle-confirmed', 'settle-released'];
/** The most reports about a sale that are looked at together. */
const MAX_REPORTS = 1_000;

/**
 * Finds up to 1,000 orders of a sale of which staff are told that Redis and Postgres disagree about them, the oldest
 * report first.
 */
export function findReported(saleId: string): Promise<{ orderNo: string; userId: string }[]> {
  return db().$queryRaw`
    SELECT order_no::text AS "orderNo", payload->>'userId' AS "userId" FROM dead_letters
    WHERE sale_id = ${saleId} AND consumer = ANY (${SETTLERS}) AND resolved_at IS NULL AND order_no IS NOT NULL
    ORDER BY id LIMIT ${MAX_REPORTS}`;
}

/** Closes the dead letters, if any, that say that Redis and Postgres disagree about these orders: they agree by now. */
export async function closeRepaired(tx: Db, orderNos: readonly string[]): Promise<void> {
  if (orderNos.length === 0) return;
  await tx.deadLetter.updateMany({
    where: {
      orderNo: { in: orderNos.map(BigInt) },
      consumer: { in: SETTLERS },
      resolvedAt: null,
    },
    data: { resolvedAt: new Date(), resolution: REPAIRED },
  });
}
