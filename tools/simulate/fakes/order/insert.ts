import type { SaleOrder } from '@/lib/order/insert-sql';
import { orderKey } from '@/lib/order/order-key';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { groupBy } from '@/lib/outbox/group-by';
import { checkOrder, type OrderRow } from '../../stores/rows';
import { sqlError, type Transaction } from '../../stores/tables';
import type { outboxFakes } from '../outbox';
import type { Session } from '../session';
import { countUnits, LIVE, note, SEC } from './rows';

/** Makes the verbs that write new orders, with their payments. */
export function insertFakes(session: Session, outbox: ReturnType<typeof outboxFakes>) {
  const { store } = session;
  const { orders, payments, processed, sales } = store;

  /**
   * Tells whether the two unique indexes or the primary key of orders would refuse a row. Each partition has indexes
   * of its own.
   */
  const isRefused = async (tx: Transaction, { orderNo, shard, saleId, userId, jti, isOnlyOne }: OrderRow) =>
    orders.isTaken(tx, (other) => {
      if (other.shard !== shard) return false;
      const isLiveToo = LIVE.includes(other.status) && other.saleId === saleId && other.userId === userId;
      return other.orderNo === orderNo || other.jti === jti || (isOnlyOne && other.isOnlyOne && isLiveToo);
    });

  const newRow = (tx: Transaction, saleId: string, order: AcceptedOrder): OrderRow | null => {
    const sale = sales.get(tx, saleId);
    if (!sale) return null;
    const { orderNo, userId, quantity, jti, epoch, acceptedAt } = order;
    return {
      orderNo,
      shard: orderKey(orderNo).shard,
      saleId,
      userId,
      quantity,
      jti,
      epoch,
      acceptedAt,
      createdAt: session.now,
      unitPriceMinor: sale.priceMinor,
      amountMinor: sale.priceMinor * quantity,
      currency: sale.currency,
      status: 'pending_payment',
      isOnlyOne: sale.limitPerUser === 1,
      version: 1,
      updatedAt: session.now,
      payBy: session.now + sale.paymentWindowSec * SEC,
      paidAt: null,
      cancelledAt: null,
      endReason: null,
      stockSettledAt: null,
      refundReturnsStock: null,
    };
  };

  const pay = (tx: Transaction, { orderNo, amountMinor, currency }: OrderRow, provider: string) =>
    payments.insert(tx, `pay_${orderNo}`, {
      id: `pay_${orderNo}`,
      orderNo,
      provider,
      amountMinor,
      currency,
      status: 'pending',
      settledAt: null,
      refundedAt: null,
      openedAt: null,
      nextQueryAt: null,
      refundDecidedAt: null,
      takenMinor: null,
      takenCurrency: null,
      queries: 0,
      createdAt: session.now,
      updatedAt: session.now,
    });

  /** Inserts what no unique index refuses, each with its payment. */
  const insert = async (
    tx: Transaction,
    accepted: readonly SaleOrder[],
    provider: string,
  ): Promise<OrderRow[]> => {
    const written: OrderRow[] = [];
    for (const order of accepted) {
      const row = newRow(tx, order.saleId, order);
      if (!row) continue;
      // Postgres checks the CHECK constraints before it looks for a conflict.
      checkOrder(row);
      if (await isRefused(tx, row)) continue;
      await orders.insert(tx, order.orderNo, row);
      if (!(await pay(tx, row, provider))) throw sqlError('23505', 'payments_pkey');
      written.push(row);
    }
    return written;
  };
  /** Postgres checks foreign keys when the statement has done everything else. */
  const checkBuyers = (written: readonly OrderRow[]): void => {
    const stranger = written.find(({ userId }) => !store.users.has(userId));
    if (stranger) throw sqlError('23503', `orders_user_id_fkey: ${stranger.userId}`);
  };
  const sumOf = (written: readonly OrderRow[]) => ({
    count: written.length,
    units: written.reduce((sum, { quantity }) => sum + quantity, 0),
    deadlineAt: Math.max(0, ...written.map(({ payBy }) => payBy)),
  });

  return {
    'lib/order/insert-orders': {
      insertOrders: (db, saleId, accepted, provider) =>
        session.run(db, `insert ${accepted.map(({ orderNo }) => orderNo)}`, async (tx) => {
          const ofSale = accepted.map((order) => ({ ...order, saleId }));
          const written = await insert(tx, ofSale, provider);
          checkBuyers(written);
          return sumOf(written);
        }),
    } satisfies typeof import('@/lib/order/insert-orders'),

    'lib/order/write-orders': {
      writeOrders: (accepted, provider) =>
        session.run(session.db, `write ${accepted.map(({ orderNo }) => orderNo)}`, async (tx) => {
          const fresh: SaleOrder[] = [];
          for (const order of accepted)
            if (await processed.insert(tx, `create-orders ${order.orderNo}`, true)) fresh.push(order);
          const written = await insert(tx, fresh, provider);
          if (written.length < fresh.length) throw sqlError('22012', 'division by zero');
          const deadlines = new Map<string, number>();
          const bySale = [...groupBy(written, ({ saleId }) => saleId)].sort(([a], [b]) => (a < b ? -1 : 1));
          for (const [saleId, ofSale] of bySale) {
            const { units, deadlineAt } = sumOf(ofSale);
            await countUnits(session, tx, saleId, { held: units });
            deadlines.set(saleId, deadlineAt);
          }
          checkBuyers(written);
          return { count: written.length, deadlines };
        }),
    } satisfies typeof import('@/lib/order/write-orders'),

    'lib/order/find-duplicate': {
      findDuplicate: (db, saleId, { orderNo, userId, jti }) =>
        session.run(db, 'find duplicate', (tx) => {
          const same = orders.get(tx, orderNo);
          if (!same) return sales.get(tx, saleId) ? 'duplicate_order' : 'not_writable';
          const isSame = same.saleId === saleId && same.userId === userId && same.jti === jti;
          return isSame ? 'already_placed' : 'duplicate_order';
        }),
    } satisfies typeof import('@/lib/order/find-duplicate'),

    'lib/order/record-failed-order': {
      recordFailedOrder: async (db, { saleId, order, reason, error, consumer, attempts }) => {
        const { orderNo } = order;
        const isNew = await outbox['lib/outbox/mark-processed'].markProcessed(db, 'create-orders', [orderNo]);
        if (isNew.size === 0) return false;
        await session.run(db, `failed ${orderNo}: ${reason}`, async (tx) => {
          const row = newRow(tx, saleId, order);
          if (!row || !store.users.has(order.userId) || order.quantity > 1000) return;
          const failed: OrderRow = { ...row, status: 'failed', payBy: session.now, endReason: reason };
          if (await isRefused(tx, { ...failed, isOnlyOne: false })) return;
          await orders.insert(tx, orderNo, failed);
          await note(session, tx, orderNo, 'queued', 'failed', 'failed');
        });
        const payload = { saleId, ...order };
        const letter = {
          consumer,
          messageId: orderNo,
          saleId,
          orderNo: BigInt(orderNo),
          payload,
          error,
          attempts,
        };
        await outbox['lib/outbox/record-dead-letter'].recordDeadLetter(letter, db);
        return true;
      },
    } satisfies typeof import('@/lib/order/record-failed-order'),
  };
}
