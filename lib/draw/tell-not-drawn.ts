import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { claimNotDrawn, noteAllTaken } from '@/lib/draw/records/claim-not-drawn';
import { noticesOf } from '@/lib/order/records/announce';
import { doMailsWait } from '@/lib/outbox/do-mails-wait';
import { putMessages } from '@/lib/outbox/put-message';
import { isOn } from '@/lib/switchboard/is-on';

const ROUNDS = 50;

/**
 * Tells people who were not drawn, in the shop and by mail, once per person and draw, when every unit has an order. Goes
 * on where another worker stopped, 500 places at a time. Waits while notices are switched off, and while many mails
 * wait.
 * @returns how many it told
 */
export async function tellNotDrawn(): Promise<number> {
  await noteAllTaken();
  let told = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!isOn('notices') || (await doMailsWait())) break;
    const count = await transaction(async (tx) => {
      const lost = await claimNotDrawn(tx);
      if (!lost) return null;
      const { saleId, orderNos } = lost;
      await putMessages(
        tx,
        orderNos.flatMap((orderNo) => noticesOf('not_drawn', { saleId, orderNo })),
      );
      return orderNos.length;
    });
    if (count === null) break;
    told += count;
  }
  return told;
}
