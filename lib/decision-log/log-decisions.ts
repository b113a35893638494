import 'server-only';
import { z } from 'zod';
import { type Decision, decision } from '@/lib/contract/shapes/decision-log';
import type { Db } from '@/lib/db/client';

/** A batch is appended to the log as a whole, so it must stay small. */
const MAX_DECISIONS = 500;

/**
 * Hands decisions of a sale to its log, in the transaction that makes them: both are stored or neither. One insert per
 * 500 of them. A worker gives them their places in the log, in this order, within about a second. Orders, their changes
 * and refusals are logged by triggers of their tables: don't hand those in again.
 * @throws ZodError on a decision that is none: a bug.
 */
export async function logDecisions(tx: Db, saleId: string, decisions: readonly Decision[]): Promise<void> {
  const known = z.array(decision).parse(decisions);
  for (let at = 0; at < known.length; at += MAX_DECISIONS) {
    const batch = JSON.stringify(known.slice(at, at + MAX_DECISIONS));
    await tx.$executeRaw`INSERT INTO decision_batches (sale_id, decisions) VALUES (${saleId}, ${batch}::json)`;
  }
}
