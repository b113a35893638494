import 'server-only';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'take-parcel-1';

type TakeResult = { status: 'taken' | 'already_taken' | 'unknown_sale' };

/**
 * Puts the units of a parcel on sale in a slice: the second step, after Postgres has moved them. Repeating it changes
 * nothing. A slice takes parcels in the order of their numbers; a load counts in all that were moved before it.
 * @throws StockCorruptError, connection errors
 */
export async function takeParcel(
  stockId: string,
  { number, units }: { number: number; units: number },
): Promise<TakeResult> {
  const reply = await runStockScript(SCRIPT, [keys.sale(stockId)], [number, units]);
  switch (reply[0]) {
    case 'taken':
      await announceChange(saleOf(stockId));
      return { status: 'taken' };
    case 'already_taken':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
