import type { Live } from '@/lib/contract/shapes/live';
import { countFigures } from '@/lib/live/count-figures';
import { loadUserId } from '@/lib/load-test/create-load-users';
import { readDatabaseFigures } from '@/lib/watch/read-database-figures';
import { ask } from '@/tools/harness/ask';
import { issueEntryToken } from '@/tools/harness/issue-entry-token';
import { ownHeaders } from '@/tools/harness/sign-in';
import type { BenchSale } from '../../stack/sales';

/** Something whose cost should not grow. `ask` throws where it is not answered as it should be. */
export type Question = {
  name: string;
  ask: () => Promise<unknown>;
  /** Counts all orders of a sale, so it grows with them. */
  isCounted?: boolean;
};

type Asking = {
  port: number;
  sale: BenchSale;
  /** Session cookies: of shoppers, of a merchant, of an admin. */
  shoppers: readonly string[];
  merchant: string;
  admin: string;
  /** A shopper with an order and a refusal. */
  buyer: { userId: string; cookie: string };
  takeUsers(count: number): number;
};

/** Returns what is asked at every size. */
export function questionsOf(asking: Asking): Question[] {
  const { port, sale, shoppers, merchant, admin, buyer, takeUsers } = asking;
  const { saleId, gate } = sale;
  const someone = buyer.userId;
  const origin = `http://127.0.0.1:${port}`;
  let turn = 0;
  const nextShopper = () => shoppers[turn++ % shoppers.length] ?? '';
  const get = (name: string, path: string, cookie = () => '') => ({
    name,
    ask: () => expect(200, `${origin}${path}`, { headers: ownHeaders(cookie(), origin) }),
  });
  const desk = (name: string, path: string, cookie = admin) => get(name, `/api/admin/${path}`, () => cookie);
  let live: Live | null = null;
  return [
    get('home page', '/'),
    get('home list', '/api/sales'),
    get('state', `/api/sales/${saleId}/state`),
    {
      name: 'entry',
      ask: () =>
        expect(200, `${origin}/api/sales/${saleId}/entry`, {
          method: 'POST',
          headers: ownHeaders(nextShopper(), origin),
        }),
    },
    {
      name: 'purchase',
      ask: () => {
        const { entryToken } = issueEntryToken(loadUserId(takeUsers(1)), saleId);
        const headers = { 'x-entry-token': entryToken };
        return expect(202, `${origin}/api/sales/${saleId}/purchase/${gate}`, { method: 'POST', headers });
      },
    },
    get('own orders', '/api/orders', () => buyer.cookie),
    desk('admin: orders', 'orders'),
    desk('admin: orders of a sale', `orders?saleId=${saleId}`),
    desk('admin: orders refunded', 'orders?status=refunded'),
    desk('admin: orders of a person', `orders?user=${someone}`),
    desk('admin: orders of a merchant', 'orders', merchant),
    desk('admin: sales', 'sales'),
    desk('admin: sales that run', 'sales?status=running'),
    desk('admin: audit log', 'audit'),
    desk('admin: audit log by action', 'audit?action=user'),
    desk('admin: open dead letters', 'dead-letters?state=open'),
    desk('admin: queues', 'queues'),
    desk('admin: risk hits', 'risk/hits'),
    desk('admin: accounts', 'users'),
    { ...desk('admin: why not me', `sales/${saleId}/why?user=${someone}`), isCounted: true },
    {
      name: 'live view',
      ask: async () => {
        live = await countFigures(saleId, live);
      },
    },
    { name: "worker's figures", ask: () => readDatabaseFigures([saleId]), isCounted: true },
  ];
}

async function expect(status: number, url: string, asking: Parameters<typeof ask>[1]): Promise<void> {
  const reply = await ask(url, asking);
  if (reply.kind === 'unanswered') throw new Error(`${url}: ${reply.error}`);
  if (reply.httpStatus !== status)
    throw new Error(`${url}: ${reply.httpStatus} ${JSON.stringify(reply.body).slice(0, 200)}`);
}
