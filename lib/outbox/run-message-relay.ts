import 'server-only';
import { RELAYED_TOPICS } from '@/lib/contract/words/queue';
import { backoffMs } from './backoff';
import { createPace, type Pace } from './create-pace';
import { pause } from './pause';
import { MESSAGE_BATCH, relayMessages } from './relay-messages';
import type { RelayLog, SendEvent } from './types';

/**
 * `BUSY_POLL_MS`: the wait just after something was sent, because more is then likely. `IDLE_POLL_MS`: a minute
 * without messages costs 120 index probes.
 */
const BUSY_POLL_MS = 100;
const IDLE_POLL_MS = 500;
const BUSY_FOR_MS = 5_000;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;

/**
 * Sends the messages of the transactional outbox until `signal` fires; then finishes the batch in hand. After an
 * unfilled batch of a topic, its next messages wait for each other (`createPace`); the other topics go on.
 */
export async function runMessageRelay(
  { send, log }: { send: SendEvent; log: RelayLog },
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let busyUntil = 0;
  let limit = MESSAGE_BATCH;
  const paces = new Map<string, Pace>(RELAYED_TOPICS.map((topic) => [topic, createPace()]));
  while (!signal.aborted) {
    try {
      // A wall clock that is set back would stop the relay for as long.
      const now = performance.now();
      const waitOf = (topic: string) => paces.get(topic)?.waitMs(now) ?? 0;
      const ready = RELAYED_TOPICS.filter((topic) => waitOf(topic) === 0);
      const held = RELAYED_TOPICS.map(waitOf).filter((waitMs) => waitMs > 0);
      const result =
        ready.length === 0 ? ({ status: 'idle' } as const) : await relayMessages(send, limit, ready);
      failures = 0;
      if (result.status === 'idle') {
        const pollMs = performance.now() < busyUntil ? BUSY_POLL_MS : IDLE_POLL_MS;
        await pause(Math.max(1, Math.min(pollMs, ...held)), signal);
        continue;
      }
      if (result.status === 'sent' && result.count < limit) paces.get(result.topic)?.hold(performance.now());
      if (result.status !== 'sent') log.warn({ ...result }, 'outgoing messages not taken');
      // The limit is halved until the message at fault stands alone and is postponed. Then it grows back to full
      // batches.
      limit = result.status === 'refused' ? Math.ceil(result.count / 2) : Math.min(limit * 2, MESSAGE_BATCH);
      busyUntil = performance.now() + BUSY_FOR_MS;
    } catch (error) {
      failures += 1;
      const waitMs = backoffMs(failures, RETRY_MIN_MS, RETRY_MAX_MS);
      log.warn({ waitMs, err: error }, 'message relay interrupted');
      await pause(waitMs, signal);
    }
  }
}
