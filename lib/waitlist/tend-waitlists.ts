import 'server-only';
import { variantNumbers } from '@/lib/contract/words/variant';
import { transaction } from '@/lib/db/transaction';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { noticesOf } from '@/lib/order/records/announce';
import { putMessages } from '@/lib/outbox/put-message';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { findBuyerOrder } from '@/lib/stock/find-buyer-order';
import { listWaitlists } from '@/lib/waitlist/records/list-waitlists';
import { type DuePlaces, firstWaiting, noteGiven, noteGone } from '@/lib/waitlist/records/settle-places';
import { serveWaitlist } from './giving/serve-waitlist';

const ROUNDS = 20;

/**
 * Looks after all waitlists, once a second: gives what is for sale (whatever frees units does that itself; this is for the
 * time after a pause or a loss), and tells those who got a unit, once their order is written. Any number of workers may do so at once.
 * @throws connection errors, after every sale has had its turn
 */
export async function tendWaitlists(): Promise<void> {
  let outage: unknown;
  for (const sale of await listWaitlists()) {
    try {
      const given = await serveWaitlist(sale);
      if (given > 0) log.info({ saleId: sale.saleId, given }, 'units given to those who wait');
      await settleWaitlist(sale.saleId);
    } catch (err) {
      if (isOutage(err)) outage ??= err;
      else log.error({ saleId: sale.saleId, err }, 'a waitlist could not be looked after');
    }
  }
  if (outage) throw outage;
}

/** Notes what became of places, and tells those who got a unit, in the shop and by mail, each once. */
export async function settleWaitlist(saleId: string): Promise<number> {
  const info = await findSaleInfo(saleId);
  let told = 0;
  for (const variant of variantNumbers(info?.variants ?? []))
    told += await settle({ saleId, variant, before: await firstWaiting(saleId, variant) });
  return told;
}

async function settle(due: DuePlaces): Promise<number> {
  const { saleId } = due;
  let told = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const given = await transaction(async (tx) => {
      const orders = await noteGiven(tx, due);
      await putMessages(
        tx,
        orders.flatMap(({ orderNo }) => noticesOf('waitlist_given', { saleId, orderNo })),
      );
      return orders.length;
    });
    told += given;
    if (given === 0) break;
  }
  await noteGone(due, async (order) => {
    const record = await findBuyerOrder(order);
    return record !== null && record.state !== 'released';
  });
  return told;
}
