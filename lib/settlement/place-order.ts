import 'server-only';
import { isDataError } from '@/lib/db/sql-state';
import { transaction } from '@/lib/db/transaction';
import { CREATE_ORDERS } from '@/lib/order/records/consumer-names';
import { findDuplicate } from '@/lib/order/records/find-duplicate';
import { insertOrders } from '@/lib/order/records/insert-orders';
import { recordFailedOrder } from '@/lib/order/records/record-failed-order';
import type { EndReason } from '@/lib/order/records/types';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { takers } from '@/lib/payment/providers/providers';
import { holdUnits } from '@/lib/sale/records/committed-stock';

/** Rolls this one order back; caught right here. */
class Refused extends Error {
  constructor(readonly reason: EndReason) {
    super(reason);
  }
}

/**
 * Writes one order of a batch that could not be written as a whole. If the order can't be written, records that (dead
 * letter, order `failed`); its units are then to be given back.
 * @throws database errors that another attempt may not meet.
 */
export async function placeOrder(saleId: string, order: AcceptedOrder): Promise<void> {
  try {
    await transaction(async (tx) => {
      if ((await markProcessed(tx, CREATE_ORDERS, [order.orderNo])).size === 0) return;
      const { count } = await insertOrders(tx, saleId, [order], takers());
      if (count === 0) {
        const why = await findDuplicate(tx, saleId, order);
        if (why !== 'already_placed') throw new Refused(why);
        return;
      }
      const { quantity: units, variant, acceptedAt } = order;
      if (!(await holdUnits(tx, { saleId, units, variant }, acceptedAt))) throw new Refused('sale_full');
    });
  } catch (error) {
    if (!(error instanceof Refused) && !isDataError(error)) throw error;
    const reason = error instanceof Refused ? error.reason : 'not_writable';
    const text = error instanceof Error ? error.message : String(error);
    await transaction((tx) =>
      recordFailedOrder(tx, { saleId, order, reason, error: text, consumer: CREATE_ORDERS }),
    );
  }
}
