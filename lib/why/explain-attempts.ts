import 'server-only';
import type { ExplainedAttempt, Explanation } from '@/lib/contract/shapes/attempt';
import { findLastAccepted } from '@/lib/order/records/find-last-accepted';
import { countLost } from '@/lib/refusal/read-refusals';
import { findState } from '@/lib/sale/read-state';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readStories } from '@/lib/waitlist/records/read-stories';
import { type Attempt, traceAttempts } from './trace-attempts';

/**
 * Explains to shoppers why they got something of a sale or did not: their own attempts against the clock of the sale.
 * @returns null if there is no such sale. @throws when Postgres can't be reached.
 */
export async function explainAttempts(saleId: string, userId: string): Promise<Explanation | null> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return null;
  const [attempts, waitlist, lost] = await Promise.all([
    traceAttempts(saleId, userId),
    readStories(saleId, userId),
    countLost(saleId),
  ]);
  return {
    saleId,
    startsAt: sale.startsAt,
    totalStock: sale.totalStock,
    soldOutAt: await findSoldOutAt(saleId, attempts),
    attempts: attempts.map(withoutJudgement),
    waitlist,
    isComplete: lost === 0,
  };
}

function withoutJudgement(attempt: Attempt): ExplainedAttempt {
  if (attempt.outcome === 'accepted') {
    const { jti: _jti, ...rest } = attempt;
    return rest;
  }
  const { risk: _risk, ...rest } = attempt;
  return rest;
}

/**
 * Finds when the sale sold out. Redis knows it to the millisecond. If stock has come back or the sale is over, the
 * last order accepted before the refusal gives the time.
 */
async function findSoldOutAt(saleId: string, attempts: readonly Attempt[]): Promise<number | null> {
  const soldOut = attempts.find((attempt) => attempt.outcome === 'refused' && attempt.code === 'SOLD_OUT');
  if (!soldOut) return null;
  const found = await findState(saleId);
  const soldOutAt = found.status === 'found' ? found.state.soldOutAt : null;
  if (soldOutAt !== null && soldOutAt <= soldOut.at) return soldOutAt;
  return findLastAccepted(saleId, soldOut.at);
}
