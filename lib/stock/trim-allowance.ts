import 'server-only';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { checkId, checkStockId } from './check-ids';
import { runStockScript } from './run-stock-script';

const SCRIPT = 'trim-allowance-3';

type TrimResult =
  | { status: 'trimmed'; units: number }
  | { status: 'unknown_sale' | 'stale_epoch' | 'moved' | 'late' };

/**
 * Lowers what a user may have in a stock to the units that are held or sold there. Only where Redis certainly has all that
 * was sold: under the epoch that Postgres knows, on the server that loaded it.
 * @param change `number` higher than all earlier ones of the user in the campaign
 * @returns the units that stay. @throws TypeError on impossible ids, connection errors: it may have happened then.
 */
export async function trimAllowance(
  { stockId, epoch }: { stockId: string; epoch: number },
  { userId, number }: { userId: string; number: bigint },
): Promise<TrimResult> {
  checkStockId(stockId);
  checkId('userId', userId);
  const reply = await runStockScript(
    SCRIPT,
    [keys.sale(stockId), keys.buyers(stockId), keys.allowances(stockId)],
    [epoch, userId, String(number)],
  );
  switch (reply[0]) {
    case 'trimmed':
      return { status: 'trimmed', units: replyNumber(SCRIPT, reply, 1) };
    case 'unknown_sale':
    case 'stale_epoch':
    case 'moved':
    case 'late':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
