import pLimit from 'p-limit';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote } from '../bench-context';
import { measurePurchases } from '../measure-purchases';
import { whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport } from '../report/types';
import { fillBuyers, loadPurchaseScript } from '../stack/fill';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';

const FLAT = 0.9;
const BYTES_PER_BUYER = 200;
const STOCK = 1_000_000_000;
const SMALL = 1_000;
const AT_ONCE = 8;

/** Measures whether selling slows down with more sales or more buyers, and how much memory a buyer takes in Redis. */
export async function measureGrowth(context: BenchContext): Promise<FigureReport> {
  const { servers, isQuick } = context;
  const [saleCount, buyerCount] = isQuick ? [100, 100_000] : [1_000, 1_000_000];
  const sha = await loadPurchaseScript();
  const limit = pLimit(AT_ONCE);
  const many = await Promise.all(Array.from({ length: saleCount }, () => limit(() => openBenchSale(STOCK))));
  const [one, few, crowded] = [
    await openBenchSale(STOCK),
    await openBenchSale(STOCK),
    await openBenchSale(STOCK),
  ];
  await fillBuyers(servers.redisUrl, sha, few, SMALL);
  await fillBuyers(servers.redisUrl, sha, crowded, buyerCount);
  await stockRedis().unlink(keys.outbox(crowded.saleId));
  const bytes = (await stockRedis().memory('USAGE', keys.buyers(crowded.saleId), 'SAMPLES', 0)) as number;
  const perBuyer = bytes / (await stockRedis().hlen(keys.buyers(crowded.saleId)));
  // The buyers of the crowded sale have bought already, so only new users may be measured.
  context.takeUsers(Math.max(0, buyerCount + 1 - context.takeUsers(0)));

  const busy: number[] = [];
  const contestant = (name: string, targets: BenchSale[]) => ({
    name,
    run: () => measurePurchases(context, { targets, busy }),
  });
  try {
    const samples = await alternate(context.rounds, [
      contestant('one', [one]),
      contestant('many', many),
      contestant('few', [few]),
      contestant('crowded', [crowded]),
    ]);
    const flat = (figure: string, large: string, small: string) =>
      ratioRow({
        figure,
        ours: samples[large] ?? [],
        theirs: samples[small] ?? [],
        target: { atLeast: FLAT },
      });
    return {
      name: 'growth',
      samples: { ...samples, bytesPerBuyer: [perBuyer] },
      rows: [
        flat(`purchases accepted/s, ${whole(saleCount)} open sales : 1`, 'many', 'one'),
        flat(`purchases accepted/s, ${whole(buyerCount)} buyers before : ${whole(SMALL)}`, 'crowded', 'few'),
        {
          figure: 'Redis memory per buyer',
          measured: `${whole(bytes / 1024)} KiB for ${whole(buyerCount)} buyers`,
          result: `${whole(perBuyer)} bytes`,
          target: `≤ ${BYTES_PER_BUYER} bytes`,
          verdict: atMost(perBuyer, BYTES_PER_BUYER),
          ...measuredOnce(perBuyer, 'less'),
        },
      ],
      notes: [
        'purchases are spread evenly over the open sales. A buyer lives in the hash of buyers (MEMORY USAGE of all of it); its outbox entry is gone once the order is in Postgres.',
        ...generatorNote(busy),
      ],
    };
  } finally {
    await Promise.all([...many, one, few, crowded].map((sale) => limit(() => dropBenchSale(sale))));
  }
}
