import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { keys } from '@/lib/redis/keys';
import { formatLimits } from '@/lib/redis/limit-policy';
import { unknownReply } from '@/lib/redis/parse-reply';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { checkInteger, isStockId } from './check-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';
import { MAX_UNITS_IN_SCRIPTS } from './types';

const SCRIPT = 'configure-1';

/** The settings that may change while a sale runs. Fields left out stay as they are. */
type StockSettings = {
  startsAt?: number;
  endsAt?: number;
  paused?: boolean;
  limit?: number;
  /** null removes the limits. */
  limits?: SaleLimits | null;
  requiresReservation?: boolean;
  /** True if more people may join those who wait; only of a sale with a waitlist. */
  isWaitlistOpen?: boolean;
};

type ConfigureResult = { status: 'configured' | 'stale_epoch' | 'unknown_sale' };

/**
 * Changes window (ms), pause, limit per user (1 … 10,000), rate limits and reservation of a warm sale. The next
 * purchase sees the change. The caller knows both start and end, so the caller checks that the start lies before the
 * end. A closed sale stays closed. `saleId` may name one slice of a split sale.
 *
 * @throws RangeError on settings outside their range or none at all, connection errors.
 */
export async function configureStock(
  change: { saleId: string; epoch: number } & StockSettings,
): Promise<ConfigureResult> {
  const { saleId, epoch, startsAt, endsAt, paused, limit, limits, requiresReservation, isWaitlistOpen } =
    change;
  if (!isStockId(saleId)) return { status: 'unknown_sale' };
  const fields: (string | number)[] = [];
  if (startsAt !== undefined) {
    checkInteger('startsAt', startsAt, 0);
    fields.push('startsAt', startsAt);
  }
  if (endsAt !== undefined) {
    checkInteger('endsAt', endsAt, 0);
    fields.push('endsAt', endsAt);
  }
  if (paused !== undefined) fields.push('paused', paused ? 1 : 0);
  if (limit !== undefined) {
    checkInteger('limit', limit, 1, MAX_UNITS_IN_SCRIPTS);
    fields.push('limit', limit);
  }
  if (limits !== undefined) fields.push('limits', formatLimits(limits));
  if (requiresReservation !== undefined) fields.push('reservedOnly', requiresReservation ? 1 : 0);
  if (isWaitlistOpen !== undefined) fields.push('waitlist', isWaitlistOpen ? 1 : 0);
  if (fields.length === 0) throw new RangeError('nothing to configure');

  const reply = await runStockScript(SCRIPT, [keys.sale(saleId)], [epoch, ...fields]);
  switch (reply[0]) {
    case 'configured':
      await announceChange(saleOf(saleId));
      return { status: 'configured' };
    case 'stale_epoch':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
