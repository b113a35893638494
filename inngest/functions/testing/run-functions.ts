import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { NextRequest } from 'next/server';
import { GET, POST, PUT } from '@/app/api/inngest/route';
import { createExecutor } from '@/inngest/executor/create-executor';
import { syncApp } from '@/inngest/executor/sync-app';
import { sendEvent } from '@/inngest/send-event';
import { env } from '@/lib/env';
import { relayOrders } from '@/lib/outbox/relay-orders';
import { runMessageRelay } from '@/lib/outbox/run-message-relay';
import { silentLog } from '@/lib/outbox/testing/silent-log';
import { buryEntry } from '@/lib/settlement/bury-entry';

/** A call of the app: which function (null while it registers), and what it is told. */
export type Call = { functionId: string | null; text: string };
type AroundCall = (call: Call, handle: () => Promise<Response>) => Promise<Response>;

/** The app as the executor sees it: the real route handlers over HTTP. */
const createApp = (around: AroundCall) =>
  createServer(async (incoming, outgoing) => {
    const method = incoming.method ?? 'GET';
    const url = `http://${incoming.headers.host}${incoming.url}`;
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = method === 'GET' ? undefined : new Uint8Array(await buffer(incoming));
    const handle = { GET, POST, PUT }[method];
    if (!handle) throw new Error(`unexpected ${method}`);
    const functionId = new URL(url).searchParams.get('fnId');
    const answer = await around({ functionId, text: body ? new TextDecoder().decode(body) : '' }, async () =>
      handle(new NextRequest(url, { method, headers, body }), {}),
    );
    outgoing
      .writeHead(answer.status, Object.fromEntries(answer.headers))
      .end(Buffer.from(await answer.arrayBuffer()));
  });

/** The server that runs the functions. */
type FunctionsServer = { url: string; stop: () => Promise<void> };

const REGISTERED_WITHIN_MS = 60_000;

/**
 * Runs our functions in this process as the product does: what calls them, the app it calls, and the relays that send
 * it messages.
 * @param serve starts what calls the functions, given where the app is; default: the embedded executor
 * @param around runs each call of a function, for tests that let something fail in it
 * @returns a function that stops all of it
 * @throws Error if the app could not be registered within a minute
 */
export async function runFunctions(
  serve: (appOrigin: string) => Promise<FunctionsServer> = serveEmbedded,
  around: AroundCall = (_call, handle) => handle(),
): Promise<() => Promise<void>> {
  const app = createApp(around);
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  process.env.INNGEST_SERVE_ORIGIN = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const server = await serve(process.env.INNGEST_SERVE_ORIGIN);
  process.env.INNGEST_BASE_URL = server.url;
  await register();
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
    await server.stop();
    app.close();
  };
}

async function serveEmbedded(): Promise<FunctionsServer> {
  const { DATABASE_URL: databaseUrl = '', INNGEST_EVENT_KEY: eventKey = '' } = process.env;
  const { INNGEST_SIGNING_KEY: signingKey = '' } = process.env;
  const executor = createExecutor({ databaseUrl, eventKey, signingKey, port: 0, backoffMs: [20] });
  await executor.start();
  return { url: executor.url, stop: () => executor.stop() };
}

/** Has the app tell what calls its functions which there are; a server may need a moment until it listens. */
async function register(): Promise<void> {
  const deadline = performance.now() + REGISTERED_WITHIN_MS;
  for (;;) {
    const problem = await syncApp(env().serveOrigin, process.env.INNGEST_SIGNING_KEY ?? '');
    if (problem === undefined) return;
    if (performance.now() > deadline) throw new Error(`the app could not be registered: ${problem}`);
    await delay(200);
  }
}
