import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { AttemptOutcome } from '@/lib/contract/words/live';
import type { ErrorCode } from '@/lib/errors/codes';
import type { ProblemOptions } from '@/lib/http/problem';
import { describeLimit } from '@/lib/limit/describe-limit';
import { MAX_PURCHASES } from '@/lib/stock/decide-purchase';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';

/** A purchase that was not accepted. */
type RefusedResult = Exclude<PurchaseResult, { status: 'accepted' | 'replayed' | 'undecided' }>;

/** Only a sale that the script decides shares a limit with its campaign. */
type Limits = Pick<SaleInfo, 'limitPerUser'> & Partial<Pick<SaleInfo, 'campaign'>>;
type Refusal = { code: ErrorCode; options?: ProblemOptions; outcome: AttemptOutcome; available?: number };

/**
 * Tells shoppers to ask again after five seconds. Once the part that is down is back, orders are written at thousands
 * a second, so asking every second would not help.
 */
const BACKLOGGED: ProblemOptions = { retryAfterMs: 5_000 };

/** The shopper's record is full, whatever came of those purchases. */
export const TOO_OFTEN: ProblemOptions = {
  title: 'Bought too often',
  detail: `You have bought here ${MAX_PURCHASES} times: that is as often as one person may.`,
  extra: { purchasesPerUser: MAX_PURCHASES },
};

/**
 * Returns the problem that a refusal is answered with, and as what it counts.
 * @param quantity units that were asked for; undefined: not known
 */
export function refusalOf(
  result: RefusedResult,
  { limitPerUser, campaign }: Limits,
  quantity?: number,
): Refusal {
  const rejected = (code: ErrorCode, options?: ProblemOptions): Refusal => ({
    code,
    outcome: 'rejected',
    ...(options && { options }),
  });
  switch (result.status) {
    case 'sold_out': {
      const { available } = result;
      const few =
        available > 0
          ? { title: 'Fewer are left', detail: `${available} left: ask for no more than that.` }
          : {};
      return { code: 'SOLD_OUT', options: { ...few, extra: { available } }, outcome: 'soldOut', available };
    }
    case 'already_bought':
      return rejected('LIMIT_REACHED', { extra: { orderNo: result.orderNo, limitPerUser } });
    case 'over_limit':
      // One unit more only exceeds the limit of someone who has them all: `already_bought`.
      return quantity === 1
        ? rejected('LIMIT_REACHED', TOO_OFTEN)
        : rejected('LIMIT_REACHED', {
            detail: `One person may have ${limitPerUser}: with what you have, you ask for more.`,
            extra: { limitPerUser },
          });
    case 'campaign_limit':
      return rejected('LIMIT_REACHED', { extra: { campaignLimit: campaign?.limitPerUser ?? null } });
    case 'not_started':
      return rejected('NOT_STARTED');
    case 'ended':
      return rejected('ENDED');
    case 'paused':
      return rejected('PAUSED');
    case 'gate_invalid':
      return rejected('GATE_INVALID');
    case 'not_reserved':
      return rejected('NOT_RESERVED');
    case 'no_account':
      return rejected('ENTRY_INVALID', { extra: { reason: 'no_account' } });
    case 'rate_limited':
      return { code: 'RATE_LIMITED', options: describeLimit(result), outcome: 'rateLimited' };
    case 'backlogged':
      return rejected('STOCK_UNAVAILABLE', BACKLOGGED);
    case 'unknown_sale':
    case 'stale_epoch':
    case 'busy':
      return rejected('STOCK_UNAVAILABLE');
  }
}
