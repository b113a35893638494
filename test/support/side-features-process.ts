/**
 * For tests: a process that does what Next's process and a worker do with side features: it serves their routes, delivers
 * notices and reminds. Sends its port to the process that forked it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as orders from '@/app/api/admin/orders/route';
import * as live from '@/app/api/admin/sales/[saleId]/live/route';
import * as situation from '@/app/api/admin/sales/[saleId]/situation/route';
import * as challenge from '@/app/api/sales/[saleId]/challenge/route';
import * as entry from '@/app/api/sales/[saleId]/entry/route';
import * as why from '@/app/api/sales/[saleId]/why/route';
import { log } from '@/lib/http/log';
import { createConsumers } from '@/lib/order/consumers';
import { runConsumer } from '@/lib/outbox/run-consumer';
import { watchRisk } from '@/lib/risk/watch-risk';
import { remindUnpaid } from '@/lib/settlement/remind-unpaid';
import { watchSwitchboard } from '@/lib/switchboard/is-on';
import { runJobs } from '@/scripts/worker/run-jobs';

type Handle = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

const ROUTES: Record<string, Handle> = {
  orders: orders.GET as Handle,
  live: live.GET as Handle,
  situation: situation.GET as Handle,
  why: why.GET as Handle,
  challenge: challenge.POST as Handle,
  entry: entry.POST as Handle,
};

// The test may be killed.
process.once('disconnect', () => process.exit(0));
await Promise.all([watchSwitchboard(), watchRisk()]);

const { signal } = new AbortController();
const [, inApp] = createConsumers().consumers;
if (!inApp) throw new Error('no consumer of notices');
void runConsumer(inApp, log, signal);
void runJobs([{ name: 'remind', everyMs: 100, run: remindUnpaid }], log, signal);

/** `/NAME?saleId=…`: the handler of that route, with the request's own headers. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://shop.test');
  const handle = ROUTES[url.pathname.slice(1)];
  const headers = new Headers(Object.entries(request.headers) as [string, string][]);
  const init = request.method === 'POST' ? { method: 'POST', body: '{}' } : {};
  const saleId = url.searchParams.get('saleId') ?? '';
  url.searchParams.delete('saleId');
  Promise.resolve(handle?.(new Request(url, { headers, ...init }), { params: Promise.resolve({ saleId }) }))
    .then(async (answer) => {
      response.writeHead(answer?.status ?? 404, Object.fromEntries(answer?.headers ?? []));
      response.end(await answer?.text());
    })
    .catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
