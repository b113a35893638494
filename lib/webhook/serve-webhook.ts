import 'server-only';
import pLimit from 'p-limit';
import type { Send } from '@/lib/outbox/post-webhook';
import { type ClaimedDelivery, claimDeliveries, unclaimDeliveries } from './claim-deliveries';
import { postEvent } from './post-event';
import { settleDelivery } from './settle-delivery';

/** With 10 s for a post, all of them end within the claim of 60 s. */
const BATCH = 20;
const AT_A_TIME = 4;
/** After so many batches other webhooks have their turn. */
const MOST_BATCHES = 10;

/**
 * Sends what is due at one webhook, four at a time. Ends when nothing is due, after 200 deliveries, or when the webhook
 * does not answer: what was not begun then goes back.
 */
export async function serveWebhook(webhookId: string, send: Send, signal?: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const claimed = await claimDeliveries(webhookId, BATCH);
    if (!claimed || claimed.deliveries.length === 0) return;
    const limit = pLimit(AT_A_TIME);
    const untouched: bigint[] = [];
    let goesOn = true;
    const deliver = async (delivery: ClaimedDelivery) => {
      if (!goesOn || signal?.aborted) {
        untouched.push(delivery.id);
        return;
      }
      const { eventId: id, body } = delivery;
      const posted = await postEvent(claimed, { id, body }, send);
      if (!(await settleDelivery(webhookId, delivery, posted))) goesOn = false;
    };
    const ends = await Promise.allSettled(
      claimed.deliveries.map((delivery) => limit(() => deliver(delivery))),
    );
    await unclaimDeliveries(untouched);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (!goesOn || signal?.aborted || claimed.deliveries.length < BATCH) return;
  }
}
