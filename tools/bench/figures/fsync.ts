import { stockRedis } from '@/lib/redis/client';
import { type Figure, PLENTY, selling } from '../bench-context';
import { contest } from '../contest';
import { openBenchSale } from '../stack/sales';

const TARGET = 0.8;

/** Measures the cost of never losing an accepted purchase: the same server and Redis, syncing always or every second. */
export const measureFsync: Figure = async (context) => {
  const sell = selling(context, [await openBenchSale(PLENTY)]);
  const set = (policy: string) => stockRedis().config('SET', 'appendfsync', policy);
  context.atEnd(() => set('always'));
  const syncing = (policy: string) => async () => {
    await set(policy);
    return sell();
  };
  return contest(context, { always: syncing('always'), everysec: syncing('everysec') }, [
    {
      figure: 'purchases accepted/s, appendfsync always : everysec',
      ours: 'always',
      theirs: 'everysec',
      target: { atLeast: TARGET },
    },
  ]);
};
