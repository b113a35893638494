import 'server-only';
import type Stripe from 'stripe';
import { env } from '@/lib/env';
import { limitMs } from '@/lib/time-limits';
import { askBounded } from '../ask-bounded';
import { ProviderFault } from '../provider-fault';

/** How often the SDK repeats a question, with its idempotency key, after a fault of the connection or of Stripe's servers. */
const RETRIES = 2;

type Settings = NonNullable<ReturnType<typeof env>['stripe']>;

/**
 * Asks Stripe, a few questions at a time. The first payment loads the SDK, which takes 16 MB.
 * @throws ProviderFault
 */
export const reachStripe = askBounded({
  name: 'Stripe',
  settings: () => env().stripe,
  makeClient,
  toFault: (error) => {
    const { statusCode, code, message } = error as { statusCode?: number; code?: string; message: string };
    return new ProviderFault(message, statusCode, code);
  },
});

async function makeClient({ secretKey, apiUrl }: Settings): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const options = { timeout: limitMs('stripeRequest'), maxNetworkRetries: RETRIES, telemetry: false };
  if (!apiUrl) return new Client(secretKey, options);
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Client(secretKey, {
    ...options,
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  });
}
