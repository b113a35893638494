import 'server-only';
import { env } from '@/lib/env';
import { backoffMs } from '@/lib/outbox/backoff';
import { pause } from '@/lib/outbox/pause';
import type { Send } from '@/lib/outbox/post-webhook';
import { guardedSend } from '@/lib/outbox/send-guarded';
import type { RelayLog } from '@/lib/outbox/types';
import { findDueWebhooks } from './claim-deliveries';
import { serveWebhook } from './serve-webhook';

const POST_WITHIN_MS = 10_000;
/** Each is served by itself, so a slow one takes one of these places and no time from others. */
const AT_A_TIME = 64;
const POLL_MS = 500;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

/** Returns how deliveries are posted: to no private address, unless the operator allows it. */
export const webhookSend = (): Send =>
  guardedSend({ allowsPrivate: env().saleWebhookPrivate, timeoutMs: POST_WITHIN_MS });

/**
 * Sends deliveries to webhooks until `signal` fires. Any number may run side by side.
 * @param send for tests
 */
export async function runWebhooks(log: RelayLog, signal: AbortSignal, send = webhookSend()): Promise<void> {
  const busy = new Map<string, Promise<void>>();
  let failures = 0;
  const note = (error: unknown, webhookId?: string) =>
    log.warn({ webhookId, err: error }, 'webhooks interrupted');
  while (!signal.aborted) {
    try {
      const free = AT_A_TIME - busy.size;
      const due = free > 0 ? await findDueWebhooks([...busy.keys()], free) : [];
      for (const webhookId of due) {
        const served = serveWebhook(webhookId, send, signal)
          .catch((error: unknown) => note(error, webhookId))
          .finally(() => busy.delete(webhookId));
        busy.set(webhookId, served);
      }
      failures = 0;
      await pause(POLL_MS, signal);
    } catch (error) {
      failures += 1;
      note(error);
      await pause(backoffMs(failures, RETRY_MIN_MS, RETRY_MAX_MS), signal);
    }
  }
  await Promise.all(busy.values());
}
