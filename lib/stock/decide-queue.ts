import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { type Bought, parseBought } from './bought';
import { checkId } from './check-ids';
import type { PurchaseOrigin } from './enqueue-purchase';
import { parsePurchaseReply } from './parse-purchase-reply';
import type { PurchaseResult } from './purchase-stock';
import { runStockScript } from './run-stock-script';

const SCRIPT = 'decide-queue-5';
/** The most purchases in one call: Redis does nothing else meanwhile. Measured: 250 take 2 to 3 ms. */
const MOST = 250;

type IsBarred = (userId: string, origin: PurchaseOrigin) => boolean;

/** One purchase of a queue, decided. `epoch` of the stock from which an accepted one got its units. */
export type QueueDecision = Bought & {
  userId: string;
  epoch: number;
  origin: PurchaseOrigin;
  result: PurchaseResult;
};

/**
 * Decides the purchases that have waited longest in a sale's queue, at most 250. Any number of processes may do so at any time.
 * @param isBarred asked of each whether that shopper may not buy any more: the purchase is then as if it had never been queued
 * @returns what was decided, in order, each purchase once in all calls; empty if nobody waits or the sale is not loaded
 * @throws StockCorruptError, connection errors. What was decided then is not known here, but it is in Redis.
 */
export async function decideQueue(
  saleId: string,
  isBarred: IsBarred = () => false,
): Promise<QueueDecision[]> {
  checkId('saleId', saleId);
  const scriptKeys = [
    keys.sale(saleId),
    keys.buyers(saleId),
    keys.outbox(saleId),
    keys.queue(saleId),
    keys.asked(saleId),
  ];
  const waiting = await stockRedis().xrange(keys.queue(saleId), '-', '+', 'COUNT', MOST);
  if (waiting.length === 0) return [];
  const barred = waiting.flatMap(([, [, purchase = '']]) => {
    const [, userId = '', , , , ip = '-', device = '-'] = purchase.split(' ');
    return isBarred(userId, { ip: decode(ip), device: decode(device) }) ? [userId] : [];
  });
  const reply = (await runStockScript(SCRIPT, scriptKeys, [MOST, ...barred])).join(' ');
  if (reply === 'none' || reply === 'unknown_sale' || reply === '') return [];
  return reply.split('\n').map(parse);
}

function parse(line: string): QueueDecision {
  const [epoch, userId, purchase = '', ip, device, ...reply] = line.split(' ');
  const bought = parseBought(purchase.split(','));
  if (!userId || !bought || ip === undefined || device === undefined) throw unknownReply(SCRIPT, [line]);
  const origin = { ip: decode(ip), device: decode(device) };
  const result = resultOf(reply, bought.orderNo);
  return { ...bought, userId, epoch: Number(epoch), origin, result };
}

const decode = (word: string): string => (word === '-' ? '' : decodeURIComponent(word));

function resultOf(reply: string[], orderNo: string): PurchaseResult {
  switch (reply[0]) {
    // As the purchase script calls it.
    case 'stale':
      return { status: 'stale_epoch' };
    case 'accepted':
    case 'replayed':
    case 'paused':
    case 'already_bought':
    case 'over_limit':
    case 'sold_out':
      return parsePurchaseReply(SCRIPT, reply, orderNo);
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
