import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type Stripe from 'stripe';
import { env } from '@/lib/env';
import { processWide } from '@/lib/process-wide';
import { limitMs } from '@/lib/time-limits';
import { StripeFault } from './stripe-fault';

/** How often the SDK repeats a question, with its idempotency key, after a fault of the connection or of Stripe's servers. */
const RETRIES = 2;
/** How many questions of one process are under way: Stripe takes 100 a second from an account, 25 in test mode. */
const AT_ONCE = 16;
/** As many take some ten seconds to be asked; a shopper does not wait longer. */
const MOST_WAITING = 500;
/** After a 429 a question waits this long, ms, and up to twice as long; the SDK itself gives up at once. */
const BACK_OFF_MS = [300, 800, 2_000];

type Settings = NonNullable<ReturnType<typeof env>['stripe']>;

const state = processWide('stripe', () => ({
  made: null as { by: Settings; client: Promise<Stripe> } | null,
  limit: pLimit(AT_ONCE),
}));

/** Returns Stripe's own client. The first payment loads it: it takes 16 MB. */
function clientOf(): Promise<Stripe> {
  const settings = env().stripe;
  if (!settings) throw new StripeFault('STRIPE_SECRET_KEY is not set');
  if (state.made?.by !== settings) state.made = { by: settings, client: makeClient(settings) };
  return state.made.client;
}

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

/**
 * Asks Stripe, a few questions at a time, and again after it has refused one for too many.
 * @throws StripeFault
 */
export async function reachStripe<T>(ask: (client: Stripe) => Promise<T>): Promise<T> {
  const client = await clientOf();
  for (let refused = 0; ; refused += 1) {
    if (state.limit.pendingCount >= MOST_WAITING) throw new StripeFault('too many questions wait for Stripe');
    try {
      return await state.limit(() => ask(client));
    } catch (error) {
      const waitMs = BACK_OFF_MS[refused];
      const { statusCode, code, message } = error as { statusCode?: number; code?: string; message: string };
      if (statusCode !== 429 || waitMs === undefined) throw new StripeFault(message, code, statusCode);
      await delay(waitMs * (1 + Math.random()));
    }
  }
}
