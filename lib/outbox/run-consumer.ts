import 'server-only';
import { backoffMs } from './backoff';
import { consumeMessages, type MessageConsumer } from './consume-messages';
import { pause } from './pause';
import type { RelayLog } from './types';

/** The wait just after something was delivered: what comes meanwhile shares the next batch. */
const BUSY_POLL_MS = 250;
const IDLE_POLL_MS = 500;
const BUSY_FOR_MS = 5_000;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

/**
 * Runs one consumer until `signal` fires; then finishes the batch in hand. Goes on at once only after a full batch.
 * Any number may run side by side.
 */
export async function runConsumer(
  consumer: MessageConsumer,
  log: RelayLog,
  signal: AbortSignal,
): Promise<void> {
  const { topic } = consumer;
  let failures = 0;
  let busyUntil = 0;
  while (!signal.aborted) {
    try {
      const result = await consumeMessages(consumer, signal);
      failures = 0;
      if (result.status !== 'consumed') {
        await pause(Date.now() < busyUntil ? BUSY_POLL_MS : IDLE_POLL_MS, signal);
        continue;
      }
      const { sent, failed, postponed } = result;
      if (failed + postponed > 0) log.warn({ topic, ...result }, 'messages not delivered');
      busyUntil = Date.now() + BUSY_FOR_MS;
      if (sent + failed + postponed < consumer.batch) await pause(BUSY_POLL_MS, signal);
    } catch (error) {
      failures += 1;
      const waitMs = backoffMs(failures, RETRY_MIN_MS, RETRY_MAX_MS);
      log.warn({ topic, waitMs, err: error }, 'message consumer interrupted');
      await pause(waitMs, signal);
    }
  }
}
