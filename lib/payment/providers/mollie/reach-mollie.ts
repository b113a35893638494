import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { MollieClient } from '@mollie/api-client';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { within } from '@/lib/errors/within';
import { processWide } from '@/lib/process-wide';
import { limitMs } from '@/lib/time-limits';
import { askBounded } from '../ask-bounded';
import { ProviderFault } from '../provider-fault';

type Settings = NonNullable<ReturnType<typeof env>['mollie']>;

/** The bounds of a question's requests. `until`: epoch ms. */
type Bounds = { until: number; host: string };

const bounds = () =>
  processWide('mollie bounds', () => {
    const store = new AsyncLocalStorage<Bounds>();
    subscribe('http.client.request.start', (message) => {
      const of = store.getStore();
      if (of) keepWithin(of, (message as { request: ClientRequest }).request);
    });
    return store;
  });

const ask = askBounded({
  name: 'Mollie',
  settings: () => env().mollie,
  makeClient,
  toFault: (error) => {
    const { statusCode, message } = error as { statusCode?: number; message: string };
    return new ProviderFault(message, statusCode);
  },
});

/**
 * Asks Mollie, a few questions at a time. The first payment loads the SDK, which takes 14 MB.
 * @throws ProviderFault
 */
export const reachMollie = <T>(question: (mollie: MollieClient) => Promise<T>): Promise<T> =>
  ask((mollie) => {
    const ms = limitMs('mollieQuestion');
    const host = new URL(env().mollie?.apiUrl ?? 'https://api.mollie.com').hostname;
    return bounds().run({ until: nowMs() + ms, host }, () => within(ms, 'Mollie', question(mollie)));
  });

async function makeClient({ apiKey, apiUrl }: Settings): Promise<MollieClient> {
  const { createMollieClient } = await import('@mollie/api-client');
  return createMollieClient({ apiKey, ...(apiUrl && { apiEndpoint: apiUrl }) });
}

/**
 * Ends a request of the SDK at its question's deadline, and one that a redirect sent elsewhere. The SDK knows no time limit:
 * a connection on which nothing comes would stay for ever, and it would ask again whenever Mollie's `Retry-After` says,
 * after Mollie has forgotten the key.
 */
function keepWithin({ until, host }: Bounds, request: ClientRequest): void {
  const end = (why: string) => request.destroy(new Error(why));
  if (request.host !== host) return void end('Mollie sends elsewhere');
  const [leftMs, late] = [until - nowMs(), 'Mollie gave no answer in time'];
  if (leftMs <= 0) return void end(late);
  const timer = setTimeout(end, leftMs, late);
  request.once('close', () => clearTimeout(timer));
}
