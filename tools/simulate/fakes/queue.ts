import type { Queue } from '@/lib/checkout/queue/list-queues';
import type { SimProcess } from '../sim-process';
import type { Session } from './session';

/** The most purchases that may wait; nothing here reaches it. */
const CAP = 100_000;
/** How long a look at an empty queue may take at most: idleness then costs nothing. */
const IDLE_MS = 1_500;
const DAY_MS = 86_400_000;
const SOON_MS = 2_000;

const LIST = `SELECT id AS "saleId", epoch, ends_at < now() OR status = 'closed' AS "isOver" FROM sales
  WHERE strategy = 'queue' AND status <> 'draft' AND starts_at < now() + interval '2 seconds'
  AND ends_at > now() - interval '1 day' ORDER BY starts_at DESC LIMIT ?`.replace(/\s+/g, ' ');

/** Makes the verbs on queues of purchases over the simulated Redis, and teaches Postgres to list the sales that have one. */
export function queueFakes(process: SimProcess, session: Session) {
  const { queue, random } = process.world;
  const ask = <T>(what: string, effect: () => T) => process.call('redis', what, effect);
  session.learn({
    [LIST]: (tx): Queue[] =>
      session.store.sales
        .find(tx, ({ strategy, status }) => strategy === 'queue' && status !== 'draft')
        .filter(({ startsAt, endsAt }) => {
          const isSoon = startsAt.getTime() < session.now + SOON_MS;
          return isSoon && endsAt.getTime() > session.now - DAY_MS;
        })
        .map(({ id, epoch, endsAt, status }) => ({
          saleId: id,
          epoch,
          isOver: endsAt.getTime() < session.now || status === 'closed',
        })),
  });

  return {
    'lib/stock/enqueue-purchase': {
      enqueuePurchase: (purchase, origin) =>
        ask(`queue ${purchase.orderNo} of ${purchase.userId}`, () => queue.enqueue(purchase, origin, CAP)),
    } satisfies typeof import('@/lib/stock/enqueue-purchase'),

    'lib/stock/decide-queue': {
      decideQueue: async (saleId) => {
        if (!queue.isWaiting(saleId)) await process.sleep(random.next() * IDLE_MS);
        if (!queue.isWaiting(saleId)) return [];
        return ask('decide the queue', () => queue.decide(saleId));
      },
    } satisfies typeof import('@/lib/stock/decide-queue'),
  };
}
