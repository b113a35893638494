import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { CREATE_ORDERS } from '@/lib/order/consumers';
import { insertOrders } from '@/lib/order/insert-orders';
import { markProcessed } from '@/lib/outbox/mark-processed';
import type { OrderBatch } from '@/lib/outbox/order-batch';
import { DEFAULT_PROVIDER } from '@/lib/payment/providers';
import { holdUnits } from '@/lib/sale/committed-stock';

/** Rolls the batch back; caught right here. */
class DoesNotFit extends Error {}

/** `fresh`: this call wrote all of them. `repeated`: some had been written before. `does_not_fit`: nothing has changed. */
export type Placement =
  | { status: 'fresh'; deadlineAt: number }
  | { status: 'repeated' }
  | { status: 'does_not_fit' };

/**
 * Writes a batch in one transaction of a few statements: processed messages, orders with their payments, and the
 * sale's held units. All or nothing.
 * @throws database errors, also those that a poisoned order causes.
 */
export async function placeOrders({ saleId, orders }: OrderBatch): Promise<Placement> {
  try {
    return await transaction(async (tx): Promise<Placement> => {
      const fresh = await markProcessed(
        tx,
        CREATE_ORDERS,
        orders.map(({ orderNo }) => orderNo),
      );
      const unwritten = orders.filter(({ orderNo }) => fresh.has(orderNo));
      if (unwritten.length === 0) return { status: 'repeated' };
      const { count, units, deadlineAt } = await insertOrders(tx, saleId, unwritten, DEFAULT_PROVIDER);
      if (count < unwritten.length) throw new DoesNotFit();
      const takenAt = Math.max(...unwritten.map(({ acceptedAt }) => acceptedAt));
      if (!(await holdUnits(tx, saleId, units, takenAt))) throw new DoesNotFit();
      return fresh.size === orders.length ? { status: 'fresh', deadlineAt } : { status: 'repeated' };
    });
  } catch (error) {
    if (error instanceof DoesNotFit) return { status: 'does_not_fit' };
    throw error;
  }
}
