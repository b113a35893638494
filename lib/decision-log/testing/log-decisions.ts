import 'server-only';
import { z } from 'zod';
import { type Decision, decision } from '@/lib/contract/shapes/decision-log';
import type { Db } from '@/lib/db/client';

/** A batch is appended to the log as a whole, so it must stay small. */
const MAX_DECISIONS = 500;

/**
 * For tests: hands decisions of a sale to its log, in the transaction that makes them. The product's tables have triggers
 * that do it.
 * @throws ZodError on a decision that is none: a bug.
 */
export async function logDecisions(tx: Db, saleId: string, decisions: readonly Decision[]): Promise<void> {
  const known = z.array(decision).parse(decisions);
  for (let at = 0; at < known.length; at += MAX_DECISIONS) {
    const batch = JSON.stringify(known.slice(at, at + MAX_DECISIONS));
    await tx.$executeRaw`INSERT INTO decision_batches (sale_id, decisions) VALUES (${saleId}, ${batch}::json)`;
  }
}
