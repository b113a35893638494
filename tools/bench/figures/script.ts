import { createHash } from 'node:crypto';
import { loadUserId } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { type Figure, PLENTY } from '../bench-context';
import { contest } from '../contest';
import { MINIMAL_SCRIPT } from '../reference/minimal-script';
import { loadPurchaseScript, purchaseCommands } from '../stack/fill';
import { encodeCommand, runPipeline } from '../stack/pipeline';
import { openBenchSale } from '../stack/sales';

const TARGET = 0.38;
const CALLS = 40_000;
/** The usual number of purchases in one call under load. */
const TOGETHER = 16;
const STOCK = 'bare:{2}:stock';
const BUYERS = 'bare:{2}:buyers';

/** Measures calls per second inside Redis: the whole purchase script against the smallest script that could sell. */
export const measureScript: Figure = async (context) => {
  const redisUrl = context.product.env.REDIS_URL ?? '';
  const calls = context.isQuick ? CALLS / 2 : CALLS;
  const sale = await openBenchSale(PLENTY);
  const purchaseSha = await loadPurchaseScript();
  await stockRedis().script('LOAD', MINIMAL_SCRIPT);
  await stockRedis().set(STOCK, PLENTY);
  context.atEnd(() => stockRedis().unlink(STOCK, BUYERS));
  const minimalSha = createHash('sha1').update(MINIMAL_SCRIPT).digest('hex');
  const rate = async (commands: string[]) => (calls / (await runPipeline(redisUrl, commands))) * 1000;
  const purchases = (together: number) => () =>
    rate(purchaseCommands(purchaseSha, sale, context.takeUsers(calls), calls, together));
  const minimal = () => {
    const from = context.takeUsers(calls);
    const command = (i: number) =>
      encodeCommand(['EVALSHA', minimalSha, 2, STOCK, BUYERS, loadUserId(from + i)]);
    return rate(Array.from({ length: calls }, (_, i) => command(i)));
  };
  const pair = (what: string, ours: string) => ({
    figure: `purchases/s inside Redis, ${what} : minimal script (GET, DECR, SADD)`,
    ours,
    theirs: 'minimal',
    target: { atLeast: TARGET },
  });
  return contest(
    context,
    { purchase: purchases(1), together: purchases(TOGETHER), minimal },
    [pair('one to a call', 'purchase'), pair(`${TOGETHER} to a call`, 'together')],
    [
      'one connection, 500 calls at a time, every purchase by a new buyer who is accepted. Purchases of a sale that reach a process at the same moment share a call, so a busy process makes few calls for one.',
    ],
  );
};
