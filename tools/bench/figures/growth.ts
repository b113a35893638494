import pLimit from 'p-limit';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type Figure, PLENTY, selling, skipUsers } from '../bench-context';
import { contest } from '../contest';
import { whole } from '../report/format';
import { singleRow } from '../report/rows';
import { fillBuyers, loadPurchaseScript } from '../stack/fill';
import { openBenchSale } from '../stack/sales';

const FLAT = 0.9;
const BYTES_PER_BUYER = 200;
const SMALL = 1_000;
const AT_ONCE = 8;

/** Measures whether selling slows down with more sales or more buyers, and how much memory a buyer takes in Redis. */
export const measureGrowth: Figure = async (context) => {
  const redisUrl = context.product.env.REDIS_URL ?? '';
  const [saleCount, buyerCount] = context.isQuick ? [100, 100_000] : [1_000, 1_000_000];
  const sha = await loadPurchaseScript();
  const limit = pLimit(AT_ONCE);
  const many = await Promise.all(Array.from({ length: saleCount }, () => limit(() => openBenchSale(PLENTY))));
  const one = await openBenchSale(PLENTY);
  const few = await openBenchSale(PLENTY);
  const crowded = await openBenchSale(PLENTY);
  await fillBuyers(redisUrl, sha, few, SMALL);
  await fillBuyers(redisUrl, sha, crowded, buyerCount);
  await stockRedis().unlink(keys.outbox(crowded.saleId));
  const bytes = (await stockRedis().memory('USAGE', keys.buyers(crowded.saleId), 'SAMPLES', 0)) as number;
  const perBuyer = bytes / (await stockRedis().hlen(keys.buyers(crowded.saleId)));
  // The buyers of the crowded sale have bought already, so only new users may be measured.
  skipUsers(context, buyerCount);

  const flat = (figure: string, ours: string, theirs: string) => ({
    figure: `purchases accepted/s, ${figure}`,
    ours,
    theirs,
    target: { atLeast: FLAT },
  });
  const { rows, samples, notes } = await contest(
    context,
    {
      one: selling(context, [one]),
      many: selling(context, many),
      few: selling(context, [few]),
      crowded: selling(context, [crowded]),
    },
    [
      flat(`${whole(saleCount)} open sales : 1`, 'many', 'one'),
      flat(`${whole(buyerCount)} buyers before : ${whole(SMALL)}`, 'crowded', 'few'),
    ],
    [
      'purchases are spread evenly over the open sales. A buyer lives in the hash of buyers (MEMORY USAGE of all of it); its outbox entry is gone once the order is in Postgres.',
    ],
  );
  const memory = singleRow({
    figure: 'Redis memory per buyer',
    measured: `${whole(bytes / 1024)} KiB for ${whole(buyerCount)} buyers`,
    value: perBuyer,
    target: { atMost: BYTES_PER_BUYER },
    text: (value) => `${whole(value)} bytes`,
  });
  return { rows: [...rows, memory], samples: { ...samples, bytesPerBuyer: [perBuyer] }, notes };
};
