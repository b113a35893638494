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

/** Until when the question of which a request is a part may be asked, epoch ms. */
const deadlines = () =>
  processWide('mollie deadlines', () => {
    const deadline = new AsyncLocalStorage<number>();
    subscribe('http.client.request.start', (message) => endBy(deadline.getStore(), message));
    return deadline;
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
    return deadlines().run(nowMs() + ms, () => within(ms, 'Mollie', question(mollie)));
  });

async function makeClient({ apiKey, apiUrl }: Settings): Promise<MollieClient> {
  const { createMollieClient } = await import('@mollie/api-client');
  return createMollieClient({ apiKey, ...(apiUrl && { apiEndpoint: apiUrl }) });
}

/**
 * Ends a request of the SDK at its question's deadline. The SDK knows no time limit: a connection on which nothing comes
 * would stay for ever, and it would ask again whenever Mollie's `Retry-After` says, after Mollie has forgotten the key.
 */
function endBy(until: number | undefined, message: unknown): void {
  if (until === undefined) return;
  const { request } = message as { request: ClientRequest };
  const end = () => request.destroy(new Error('Mollie gave no answer in time'));
  const timer = setTimeout(end, until - nowMs());
  request.once('close', () => clearTimeout(timer));
}
