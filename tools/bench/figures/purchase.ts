import { stockRedis } from '@/lib/redis/client';
import { type Figure, PLENTY, selling } from '../bench-context';
import { contest } from '../contest';
import { startReference } from '../reference/start-reference';
import { WITHOUT_FAST_PATH } from '../stack/product';
import { openBenchSale } from '../stack/sales';

const ROUTE_PER_SECOND = 4_000;
const BARE_TARGET = 0.8;
const ROUTE_TARGET = 12;

/** Measures accepted purchases per second: the fast path, the smallest possible server, and our own Next route handler. */
export const measurePurchase: Figure = async (context) => {
  const { product, atEnd } = context;
  const targets = [await openBenchSale(PLENTY)];
  await stockRedis().set('bare:{1}:stock', PLENTY);
  atEnd(() => stockRedis().unlink('bare:{1}:stock', 'bare:{1}:buyers'));
  const bare = await startReference(context, 'bare-server.ts', { redisUrl: product.env.REDIS_URL });
  const route = await product.startWeb('web-route', WITHOUT_FAST_PATH);
  atEnd(route.stop);
  return contest(
    context,
    {
      'fast path': selling(context, targets),
      bare: selling(context, targets, { port: bare }),
      route: selling(context, targets, { port: route.port, perSecond: ROUTE_PER_SECOND }),
    },
    [
      {
        figure: 'purchases accepted/s, fast path : bare server',
        ours: 'fast path',
        theirs: 'bare',
        target: { atLeast: BARE_TARGET },
      },
      {
        figure: 'purchases accepted/s, fast path : Next route handler',
        ours: 'fast path',
        theirs: 'route',
        target: { atLeast: ROUTE_TARGET },
      },
    ],
    [
      'the bare server is node:http and ioredis with GET, DECR and SADD; it checks no token and records no order. Worker and executor are stopped: what they write has a figure of its own.',
    ],
  );
};
