import 'server-only';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { checkInteger } from './check-ids';
import { runStockScript } from './run-stock-script';

const SCRIPT = 'give-parcel-1';

/** `under_way`: another parcel has left this slice and not ended yet. `moved`: the slice may be an older copy. */
type GiveResult =
  | { status: 'given'; units: number }
  | { status: 'none' | 'late' | 'under_way' | 'moved' | 'stale_epoch' | 'unknown_sale' };

/**
 * Takes units that are for sale out of a slice: the first step of moving them. They are nobody's until Postgres has
 * moved them; if it never does, `endParcel` puts them back.
 * @param parcel `number` higher than that of every earlier parcel of the sale; `units` at most so many, from 1;
 *   `takenAt`, epoch ms, where they leave the sale
 * @returns how many were taken. @throws StockCorruptError, connection errors: they may have been taken
 */
export async function giveParcel(
  stockId: string,
  parcel: { epoch: number; number: number; units: number; takenAt?: number },
): Promise<GiveResult> {
  const { epoch, number, units, takenAt = '' } = parcel;
  checkInteger('units', units, 1);
  const reply = await runStockScript(SCRIPT, [keys.sale(stockId)], [epoch, number, units, takenAt]);
  switch (reply[0]) {
    case 'given':
      return { status: 'given', units: replyNumber(SCRIPT, reply, 1) };
    case 'none':
    case 'late':
    case 'under_way':
    case 'moved':
    case 'stale_epoch':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
