import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { noticesOf } from '@/lib/order/records/announce';
import { claimReminders } from '@/lib/order/records/claim-reminders';
import { putMessages } from '@/lib/outbox/put-message';
import { isOn } from '@/lib/switchboard/is-on';

const ROUNDS = 50;

/**
 * Reminds shoppers of orders whose time to pay is running out, in the shop and by mail, once per order. While reminders
 * or notices are switched off it waits: a reminder comes later as long as its order can be paid. @returns how many it
 * reminded of.
 */
export async function remindUnpaid(): Promise<number> {
  let reminded = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!isOn('reminders') || !isOn('notices')) break;
    const count = await transaction(async (tx) => {
      const orders = await claimReminders(tx);
      await putMessages(
        tx,
        orders.flatMap((order) => noticesOf('payment_reminder', order)),
      );
      return orders.length;
    });
    reminded += count;
    if (count === 0) break;
  }
  return reminded;
}
