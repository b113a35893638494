import { createHash } from 'node:crypto';
import { loadUserId } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { alternate } from '../alternate';
import type { BenchContext } from '../bench-context';
import { MINIMAL_SCRIPT } from '../reference/minimal-script';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { loadPurchaseScript, purchaseCommands } from '../stack/fill';
import { encodeCommand, runPipeline } from '../stack/pipeline';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const TARGET = 0.38;
const CALLS = 40_000;
/** The usual number of purchases in one call under load. */
const TOGETHER = 16;
const STOCK = 'bare:{2}:stock';
const BUYERS = 'bare:{2}:buyers';

/** Measures calls per second inside Redis: the whole purchase script against the smallest script that could sell. */
export async function measureScript(context: BenchContext): Promise<FigureReport> {
  const { servers } = context;
  const calls = context.isQuick ? CALLS / 2 : CALLS;
  const sale = await openBenchSale(1_000_000_000);
  const purchaseSha = await loadPurchaseScript();
  await stockRedis().script('LOAD', MINIMAL_SCRIPT);
  await stockRedis().set(STOCK, 1_000_000_000);
  const minimalSha = createHash('sha1').update(MINIMAL_SCRIPT).digest('hex');
  const rate = async (commands: string[]) => (calls / (await runPipeline(servers.redisUrl, commands))) * 1000;
  try {
    const samples = await alternate(context.rounds, [
      {
        name: 'purchase',
        run: () => rate(purchaseCommands(purchaseSha, sale, context.takeUsers(calls), calls)),
      },
      {
        name: 'together',
        run: () => rate(purchaseCommands(purchaseSha, sale, context.takeUsers(calls), calls, TOGETHER)),
      },
      {
        name: 'minimal',
        run: () => {
          const from = context.takeUsers(calls);
          const command = (i: number) =>
            encodeCommand(['EVALSHA', minimalSha, 2, STOCK, BUYERS, loadUserId(from + i)]);
          return rate(Array.from({ length: calls }, (_, i) => command(i)));
        },
      },
    ]);
    const row = (what: string, ours: number[]) =>
      ratioRow({
        figure: `purchases/s inside Redis, ${what} : minimal script (GET, DECR, SADD)`,
        ours,
        theirs: samples.minimal ?? [],
        target: { atLeast: TARGET },
      });
    return {
      name: 'script',
      samples,
      rows: [
        row('one to a call', samples.purchase ?? []),
        row(`${TOGETHER} to a call`, samples.together ?? []),
      ],
      notes: [
        'one connection, 500 calls at a time, every purchase by a new buyer who is accepted. Purchases of a sale that reach a process at the same moment share a call, so a busy process makes few calls for one.',
      ],
    };
  } finally {
    await dropBenchSale(sale);
    await stockRedis().unlink(STOCK, BUYERS);
  }
}
