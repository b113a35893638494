import 'server-only';
import { log } from '@/lib/http/log';
import { type Push, sendPush } from '@/lib/notify/push/send-push';
import type { ConsumedMessage, MessageConsumer } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { isOn } from '@/lib/switchboard/is-on';
import { readPushes } from './read-pushes';

const BATCH = 50;
const AT_A_TIME = 8;
/** A browser is asked for 5 s at most, and one account has ten. */
const START_WITHIN_MS = 5_000;
/** Within a minute: later a push message only repeats what its reader has seen in the shop or in a mail. */
const MOST_TRIES = 6;

/**
 * Creates the consumer that tells notices by push. Each browser has a push service of its own, so no breaker stands before
 * them all, and a message that finds no ear is dropped after a minute: the notice stands in the shop. While notices are
 * switched off, the messages wait.
 */
export function createPushConsumer(): MessageConsumer {
  return {
    topic: 'push',
    batch: BATCH,
    concurrency: AT_A_TIME,
    startWithinMs: START_WITHIN_MS,
    gate: {
      get admits() {
        return isOn('notices') ? 'all' : 'none';
      },
      run: (work) => work(),
    },
    deliver: async (messages) => {
      const pushes = await readPushes(messages.map(noticeOf));
      for (const message of messages) await tell(message, pushes);
    },
    prepare: async (messages) => {
      const pushes = await readPushes(messages.map(noticeOf));
      return (message) => tell(message, pushes);
    },
  };
}

const noticeOf = ({ payload }: ConsumedMessage): string => payload.notice ?? '';

/** Tells all browsers side by side: a service that is silent keeps nobody else waiting. */
async function tell(message: ConsumedMessage, pushes: ReadonlyMap<string, Push[]>): Promise<void> {
  const key = noticeOf(message);
  if (!key) throw new MessageRefused(`message ${message.id} names no notice`);
  const told = await Promise.allSettled((pushes.get(key) ?? []).map(sendPush));
  const failed = told.find((one) => one.status === 'rejected');
  if (!failed) return;
  if (message.attempts < MOST_TRIES) throw failed.reason;
  log.warn({ notice: key, err: failed.reason }, 'push message dropped');
}
