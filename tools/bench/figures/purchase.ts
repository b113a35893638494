import { stockRedis } from '@/lib/redis/client';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote } from '../bench-context';
import { measurePurchases } from '../measure-purchases';
import { startReference } from '../reference/start-reference';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const STOCK = 1_000_000_000;
const ROUTE_PER_SECOND = 4_000;
const BARE_TARGET = 0.8;
const ROUTE_TARGET = 12;

/** Measures accepted purchases per second: the fast path, the smallest possible server, and our own Next route handler. */
export async function measurePurchase(context: BenchContext): Promise<FigureReport> {
  const { root, servers, product } = context;
  const sale = await openBenchSale(STOCK);
  await stockRedis().set('bare:{1}:stock', STOCK);
  const bare = await startReference(root, 'bare-server.ts', [servers.redisUrl]);
  const route = await product.route();
  const busy: number[] = [];
  const contestant = (name: string, port: number, perSecond?: number) => ({
    name,
    run: () => measurePurchases(context, { targets: [sale], port, perSecond, busy }),
  });
  try {
    const samples = await alternate(context.rounds, [
      contestant('fast path', product.fastPath.port),
      contestant('bare', bare.port),
      contestant('route', route.port, ROUTE_PER_SECOND),
    ]);
    const of = (name: string) => samples[name] ?? [];
    return {
      name: 'purchase',
      samples,
      rows: [
        ratioRow({
          figure: 'purchases accepted/s, fast path : bare server',
          ours: of('fast path'),
          theirs: of('bare'),
          target: { atLeast: BARE_TARGET },
        }),
        ratioRow({
          figure: 'purchases accepted/s, fast path : Next route handler',
          ours: of('fast path'),
          theirs: of('route'),
          target: { atLeast: ROUTE_TARGET },
        }),
      ],
      notes: [
        'the bare server is node:http and ioredis with GET, DECR and SADD; it checks no token and records no order. Worker and executor are stopped: what they write has a figure of its own.',
        ...generatorNote(busy),
      ],
    };
  } finally {
    bare.stop();
    await route.stop();
    await dropBenchSale(sale);
    await stockRedis().unlink('bare:{1}:stock', 'bare:{1}:buyers');
  }
}
