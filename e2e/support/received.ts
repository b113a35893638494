import { expect } from '@playwright/test';
import { execute } from './database';

/** Changes the message that is to tell of an order once it is written. */
async function change(orderNo: string, set: string): Promise<void> {
  await expect
    .poll(async () =>
      execute(
        `UPDATE outgoing_messages SET ${set}
         WHERE topic = 'orders/received' AND sent_at IS NULL AND payload -> 'orderNos' ? $1 RETURNING 1`,
        [orderNo],
      ),
    )
    .toHaveLength(1);
}

/** Lets nobody be told that an order was received, however long a test takes. */
export const tellNothing = (orderNo: string): Promise<void> =>
  change(orderNo, `payload = jsonb_set(payload, '{orderNos}', (payload -> 'orderNos') - $1::text)`);

/** Lets an order be told of as if a minute had passed. */
export const tellNow = (orderNo: string): Promise<void> => change(orderNo, 'next_attempt_at = now()');
