import 'server-only';
import { nowMs } from '@/lib/clock';
import type { StockTiers } from '@/lib/contract/shapes/sale';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { checkId, checkInteger, isId } from './check-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'restock-1';
const MAX_DELTA = 1_000_000_000;

type RestockResult =
  | ({ status: 'restocked' | 'already_restocked' } & StockTiers)
  | { status: 'below_committed'; available: number }
  | { status: 'unlimited' | 'stale_epoch' | 'unknown_sale' };

/**
 * Adds units to a sale (`delta` > 0) or takes unsold ones away (`delta` < 0). `takenAt` (epoch ms, default: now) is
 * when units were taken away; Postgres records the same time. If they were the last, the sale sold out then. Redis
 * remembers the last 8 `requestId`s of a sale; a repeated one gets `already_restocked` with the current tiers.
 *
 * @throws RangeError if `delta` is 0 or no integer within ±10⁹, TypeError on ids, StockCorruptError, connection
 *   errors.
 */
export async function restock(request: {
  saleId: string;
  epoch: number;
  delta: number;
  /** Which variant, by its number; 0 or left out: the sale has none. */
  variant?: number;
  requestId: string;
  takenAt?: number;
}): Promise<RestockResult> {
  const { saleId, epoch, delta, variant = 0, requestId, takenAt = nowMs() } = request;
  if (!isId(saleId)) return { status: 'unknown_sale' };
  checkId('requestId', requestId);
  checkInteger('delta', delta, -MAX_DELTA, MAX_DELTA);
  if (delta === 0) throw new RangeError('delta must not be 0');
  checkInteger('takenAt', takenAt, 0);
  checkInteger('variant', variant, 0);

  const args = [epoch, delta, requestId, takenAt, variant];
  const reply = await runStockScript(SCRIPT, [keys.sale(saleId)], args);
  switch (reply[0]) {
    case 'restocked':
    case 'already_restocked':
      await announceChange(saleId);
      return {
        status: reply[0],
        total: replyNumber(SCRIPT, reply, 1),
        available: replyNumber(SCRIPT, reply, 2),
        held: replyNumber(SCRIPT, reply, 3),
        sold: replyNumber(SCRIPT, reply, 4),
      };
    case 'below_committed':
      return { status: 'below_committed', available: replyNumber(SCRIPT, reply, 1) };
    case 'unlimited':
    case 'stale_epoch':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
