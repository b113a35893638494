import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { NextRequest } from 'next/server';
import { GET, POST, PUT } from '@/app/api/inngest/route';
import { createExecutor } from '@/inngest/executor/create-executor';
import { syncApp } from '@/inngest/executor/sync-app';
import { sendEvent } from '@/inngest/send-event';
import { buryEntry } from '@/lib/checkout/order/bury-entry';
import { env } from '@/lib/env';
import { relayOrders } from '@/lib/outbox/relay-orders';
import { runMessageRelay } from '@/lib/outbox/run-message-relay';
import { silentLog } from '@/lib/outbox/testing/silent-log';

/** The app as the executor sees it: the real route handlers over HTTP. */
const createApp = () =>
  createServer(async (incoming, outgoing) => {
    const method = incoming.method ?? 'GET';
    const url = `http://${incoming.headers.host}${incoming.url}`;
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = method === 'GET' ? undefined : new Uint8Array(await buffer(incoming));
    const handle = { GET, POST, PUT }[method];
    if (!handle) throw new Error(`unexpected ${method}`);
    const answer = await handle(new NextRequest(url, { method, headers, body }), {});
    outgoing
      .writeHead(answer.status, Object.fromEntries(answer.headers))
      .end(Buffer.from(await answer.arrayBuffer()));
  });

/**
 * Runs our functions in this process as the product does: an embedded executor, the app it calls, and the relays that
 * send it messages.
 * @returns a function that stops all of it
 * @throws Error if the app could not be registered
 */
export async function runFunctions(): Promise<() => Promise<void>> {
  const app = createApp();
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const {
    DATABASE_URL: databaseUrl = '',
    INNGEST_EVENT_KEY: eventKey = '',
    INNGEST_SIGNING_KEY: signingKey = '',
  } = process.env;
  const executor = createExecutor({ databaseUrl, eventKey, signingKey, port: 0, backoffMs: [20] });
  await executor.start();
  process.env.INNGEST_BASE_URL = executor.url;
  process.env.INNGEST_SERVE_ORIGIN = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const problem = await syncApp(env().serveOrigin, signingKey);
  if (problem !== undefined) throw new Error(`the app could not be registered: ${problem}`);
  const stop = new AbortController();
  const common = { send: sendEvent, log: silentLog };
  const relays = [
    relayOrders({ ...common, bury: buryEntry, consumer: 'test-1' }, stop.signal),
    relayOrders({ ...common, bury: buryEntry, consumer: 'test-2' }, stop.signal),
    runMessageRelay(common, stop.signal),
  ];
  return async () => {
    stop.abort();
    await Promise.all(relays);
    await executor.stop();
    app.close();
  };
}
