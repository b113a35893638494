import 'server-only';
import { Inngest } from 'inngest';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';

/** The app's id at the executor; part of every function's id. */
export const APP_ID = 'seckill';

/** Bounds one request. An executor that accepts a connection and then does not answer counts as away. */
const REQUEST_TIMEOUT_MS = 10_000;

const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, {
    redirect: 'error',
    ...init,
    signal: init?.signal ?? AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });

let client: Inngest | undefined;

/**
 * Returns the Inngest client of this process. Creates it at first use, because importing this module must not need
 * the environment.
 */
export function inngest(): Inngest {
  const { isDev, eventKey, signingKey, baseUrl } = env().inngest;
  client ??= new Inngest({
    id: APP_ID,
    isDev,
    eventKey,
    signingKey,
    baseUrl,
    fetch: fetchInTime,
    logger: log,
    aiMetadata: false,
    sessionPropagation: false,
  });
  return client;
}
