import 'server-only';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'end-parcel-1';

type EndResult = { status: 'ended' | 'already_ended' | 'unknown_sale' };

/**
 * Lets the slice that gave a parcel forget it: the third step. Repeating it changes nothing.
 * @param isBack the parcel was never moved in Postgres: its units go back on sale here
 * @throws StockCorruptError, connection errors
 */
export async function endParcel(stockId: string, number: number, isBack: boolean): Promise<EndResult> {
  const reply = await runStockScript(SCRIPT, [keys.sale(stockId)], [number, isBack ? 1 : 0]);
  switch (reply[0]) {
    case 'ended':
      if (isBack) await announceChange(saleOf(stockId));
      return { status: 'ended' };
    case 'already_ended':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
