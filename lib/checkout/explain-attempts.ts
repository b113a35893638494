import type { OrderStatus } from '@/lib/contract/words/order';
import 'server-only';
import type { ErrorCode } from '@/lib/errors/codes';
import { findLastAccepted } from '@/lib/order/find-last-accepted';
import { countLost } from '@/lib/refusal/read-refusals';
import type { RefusalPlace } from '@/lib/refusal/types';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { findState } from './read-state';
import { type Attempt, traceAttempts } from './trace-attempts';

/** One attempt in the shopper's own view: what happened, and nothing of what the shop thinks of them. Epoch ms. */
export type ExplainedAttempt = { at: number } & (
  | { outcome: 'accepted'; orderNo: string; quantity: number; status: OrderStatus; endReason: string | null }
  | {
      outcome: 'refused';
      place: RefusalPlace;
      code: ErrorCode;
      times: number;
      lastAt: number;
      /** Units left at that moment; null if nobody noted it. */
      available: number | null;
    }
);

export type Explanation = {
  saleId: string;
  startsAt: number;
  /** −1 = unlimited. */
  totalStock: number;
  /** When the last unit had gone before this shopper was told so; null if that was not it. */
  soldOutAt: number | null;
  attempts: ExplainedAttempt[];
  /** False: more refusals came in this sale than could be kept, so this shopper's may be missing. */
  isComplete: boolean;
};

/**
 * Why somebody got something of a sale or didn't, for themselves: their own attempts against the clock of the sale.
 * @returns null if there is no such sale. @throws when Postgres can't be reached.
 */
export async function explainAttempts(saleId: string, userId: string): Promise<Explanation | null> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return null;
  const [attempts, lost] = await Promise.all([traceAttempts(saleId, userId), countLost(saleId)]);
  return {
    saleId,
    startsAt: sale.startsAt,
    totalStock: sale.totalStock,
    soldOutAt: await findSoldOutAt(saleId, attempts),
    attempts: attempts.map(withoutJudgement),
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

/** Redis knows to the millisecond; where stock has come back or the sale is over, the last order before tells. */
async function findSoldOutAt(saleId: string, attempts: readonly Attempt[]): Promise<number | null> {
  const soldOut = attempts.find((attempt) => attempt.outcome === 'refused' && attempt.code === 'SOLD_OUT');
  if (!soldOut) return null;
  const found = await findState(saleId);
  const soldOutAt = found.status === 'found' ? found.state.soldOutAt : null;
  if (soldOutAt !== null && soldOutAt <= soldOut.at) return soldOutAt;
  return findLastAccepted(saleId, soldOut.at);
}
