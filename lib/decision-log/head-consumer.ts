import 'server-only';
import { type Breaker, createBreaker } from '@/lib/breaker/create-breaker';
import { logHead } from '@/lib/contract/shapes/decision-log';
import { env } from '@/lib/env';
import { isMessagesFault, type MessageConsumer } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { postWebhook } from '@/lib/outbox/post-webhook';
import { parseJson } from './proof/parse-json';

/**
 * Creates the consumer that sends signed heads to `LOG_WEBHOOK_URL`. A receiver that keeps them can show a log that was
 * changed afterwards, also by the shop itself.
 */
export function createHeadConsumer(): { consumers: MessageConsumer[]; breakers: Breaker[] } {
  const gate = createBreaker({ service: 'log-head', isFault: (error) => !isMessagesFault(error) });
  const consumer: MessageConsumer = {
    topic: 'log-head',
    batch: 8,
    concurrency: 4,
    gate,
    deliver: async (messages) => {
      const target = env().logWebhook;
      if (!target) throw new MessageRefused('LOG_WEBHOOK_URL is not set any more');
      for (const { payload } of messages) {
        const read = logHead.safeParse(parseJson(payload.head ?? ''));
        if (!read.success) throw new MessageRefused(`not a head: ${read.error.message}`);
        const { sale, size, final, at } = read.data;
        const timestamp = new Date(at).toISOString();
        const body = JSON.stringify({ type: 'log.head', timestamp, data: read.data });
        await postWebhook(target, `head_${sale}_${size}${final ? '_final' : ''}`, body, 'heads');
      }
    },
  };
  return { consumers: [consumer], breakers: [gate] };
}
