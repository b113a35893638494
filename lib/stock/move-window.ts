import 'server-only';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { checkInteger, isStockId } from './check-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'move-window-2';

type MoveResult =
  | { status: 'moved' }
  /** `endsAt` is the end that now holds, in ms. */
  | { status: 'ended' | 'not_later'; endsAt: number }
  | { status: 'started'; startsAt: number }
  | { status: 'past' | 'stale_epoch' | 'unknown_sale' };

/**
 * Moves the start and the end (ms) of a warm sale: anywhere into the time to come until it starts by the Redis clock,
 * from then on only its end, to a later moment. The next purchase sees the change. Repeating it changes nothing.
 * `saleId` may name one slice of a split sale.
 * @throws RangeError if a time is not valid or the end is not after the start, connection errors.
 */
export async function moveWindow(sale: {
  saleId: string;
  epoch: number;
  startsAt: number;
  endsAt: number;
}): Promise<MoveResult> {
  const { saleId, epoch, startsAt, endsAt } = sale;
  if (!isStockId(saleId)) return { status: 'unknown_sale' };
  checkInteger('startsAt', startsAt, 0);
  checkInteger('endsAt', endsAt, startsAt + 1);
  const reply = await runStockScript(
    SCRIPT,
    [keys.sale(saleId), keys.limits(saleId)],
    [epoch, startsAt, endsAt],
  );
  switch (reply[0]) {
    case 'moved':
      await announceChange(saleOf(saleId));
      return { status: 'moved' };
    case 'started':
      return { status: 'started', startsAt: replyNumber(SCRIPT, reply, 1) };
    case 'ended':
    case 'not_later':
      return { status: reply[0], endsAt: replyNumber(SCRIPT, reply, 1) };
    case 'past':
    case 'stale_epoch':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
