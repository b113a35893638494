import 'server-only';
import { Inngest } from 'inngest';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { limitMs } from '@/lib/time-limits';

/** The app's id at the executor; part of every function's id. */
const APP_ID = 'seckill';

const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, {
    redirect: 'error',
    ...init,
    signal: init?.signal ?? AbortSignal.timeout(limitMs('inngestRequest')),
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
