import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { receivedNotices } from '@/lib/order/records/announce';
import { claimReceived } from '@/lib/order/records/claim-received';
import { doMailsWait } from '@/lib/outbox/do-mails-wait';
import { putMessages } from '@/lib/outbox/put-message';
import { isOn } from '@/lib/switchboard/is-on';

const ROUNDS = 50;

/**
 * Tells shoppers that their orders were received and are to be paid, in the shop and by mail, once per order. Waits
 * while notices are switched off, and while many mails wait: orders that are paid meanwhile need none.
 * @returns how many it told of
 */
export async function tellReceived(): Promise<number> {
  let told = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!isOn('notices') || (await doMailsWait())) break;
    const count = await transaction(async (tx) => {
      const orders = await claimReceived(tx);
      await putMessages(tx, (orders ?? []).flatMap(receivedNotices));
      return orders?.length ?? null;
    });
    if (count === null) break;
    told += count;
  }
  return told;
}
