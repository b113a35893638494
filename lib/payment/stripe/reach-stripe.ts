import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type Stripe from 'stripe';
import { env } from '@/lib/env';

const TIMEOUT_MS = 8_000;
/** Of faults of the connection and of Stripe's servers; the SDK sends the same idempotency key again. */
const RETRIES = 2;
/** How many questions of one process are under way at Stripe: it refuses more than 100 a second, 25 with a test key. */
const AT_ONCE = 8;
/** After a 429 a question waits this long, ms, and up to twice as long; the SDK itself gives up at once. */
const BACK_OFF_MS = [300, 800, 2_000];

type Settings = NonNullable<ReturnType<typeof env>['stripe']>;

const state: { made: { by: Settings; client: Promise<Stripe> } | null; limit: ReturnType<typeof pLimit> } = {
  made: null,
  limit: pLimit(AT_ONCE),
};

/** Returns Stripe's own client. The first payment loads it: it takes 16 MB. @throws Error without a key */
function clientOf(): Promise<Stripe> {
  const settings = env().stripe;
  if (!settings) throw new Error('STRIPE_SECRET_KEY is not set');
  if (state.made?.by !== settings) state.made = { by: settings, client: makeClient(settings) };
  return state.made.client;
}

async function makeClient({ secretKey, apiUrl }: Settings): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false };
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
 * @throws Stripe's errors
 */
export async function reachStripe<T>(ask: (client: Stripe) => Promise<T>): Promise<T> {
  const client = await clientOf();
  for (let refused = 0; ; refused += 1) {
    try {
      return await state.limit(() => ask(client));
    } catch (error) {
      const waitMs = BACK_OFF_MS[refused];
      if (statusOf(error) !== 429 || waitMs === undefined) throw error;
      await delay(waitMs * (1 + Math.random()));
    }
  }
}

const statusOf = (error: unknown) => (error as { statusCode?: unknown } | null)?.statusCode;

/** Tells Stripe's refusals apart. @returns its code, such as `charge_already_refunded`; undefined for anything else */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
