import { groupBy } from '@/lib/outbox/group-by';
import type { OrderRow } from '../../stores/rows';
import { sqlError, type Transaction } from '../../stores/tables';
import type { Session } from '../session';
import { byNumber, countUnits, LIVE, note, stockOrder, touched } from './rows';

/** Makes the verbs that move an order from one status to the next. */
export function changeFakes(session: Session) {
  const { orders, processed } = session.store;

  /** Changes the orders that fit, in the order of their numbers, each under its lock. */
  const updateAll = async (
    tx: Transaction,
    orderNos: readonly string[],
    fits: (row: OrderRow) => boolean,
    change: (row: OrderRow) => Partial<OrderRow>,
  ): Promise<OrderRow[]> => {
    const changed: OrderRow[] = [];
    for (const orderNo of [...new Set(orderNos)].sort((a, b) => byNumber({ orderNo: a }, { orderNo: b }))) {
      const row = await orders.update(tx, orderNo, fits, change);
      if (row) changed.push(row);
    }
    return changed;
  };

  return {
    'lib/order/expire-orders': {
      expireOrders: (orderNos) =>
        session.run(session.db, `expire ${orderNos}`, async (tx) => {
          const isDue = (row: OrderRow) => row.status === 'pending_payment' && row.payBy <= session.now;
          const expired = await updateAll(tx, orderNos, isDue, (row) => ({
            ...touched(session, row),
            status: 'cancelled',
            cancelledAt: session.now,
            endReason: 'expired',
            stockSettledAt: null,
          }));
          for (const { orderNo } of expired)
            await note(session, tx, orderNo, 'pending_payment', 'cancelled', 'expired');
          const bySale = [...groupBy(expired, ({ saleId }) => saleId)].sort(([a], [b]) => (a < b ? -1 : 1));
          for (const [saleId, ofSale] of bySale) {
            const units = ofSale.reduce((sum, { quantity }) => sum + quantity, 0);
            await session.unbroken(countUnits(session, tx, saleId, { held: -units }));
          }
          return expired.map(stockOrder);
        }),
    } satisfies typeof import('@/lib/order/expire-orders'),

    'lib/order/sell-paid': {
      sellPaid: (saleId, orderNos) =>
        session.run(session.db, `sell ${orderNos}`, async (tx) => {
          const paid = orders
            .find(
              tx,
              (row) => row.saleId === saleId && row.status === 'paid' && orderNos.includes(row.orderNo),
            )
            .sort(byNumber);
          const fresh: OrderRow[] = [];
          for (const row of paid)
            if (
              row.stockSettledAt === null &&
              (await processed.insert(tx, `confirm-paid ${row.orderNo}`, true))
            )
              fresh.push(row);
          const units = fresh.reduce((sum, { quantity }) => sum + quantity, 0);
          if (units > 0)
            await session.unbroken(countUnits(session, tx, saleId, { held: -units, sold: units }));
          return { orders: paid.map(stockOrder), counted: fresh.length };
        }),
    } satisfies typeof import('@/lib/order/sell-paid'),

    'lib/order/cancel-order-row': {
      cancelOrderRow: (db, { userId, orderNo }, reason) =>
        session.run(db, `cancel ${orderNo}`, async (tx) => {
          const isOpen = (row: OrderRow) => row.userId === userId && row.status === 'pending_payment';
          const row = await orders.update(tx, orderNo, isOpen, (before) => ({
            ...touched(session, before),
            status: 'cancelled',
            cancelledAt: session.now,
            endReason: reason,
            stockSettledAt: null,
          }));
          if (!row) return null;
          await note(session, tx, orderNo, 'pending_payment', 'cancelled', reason);
          return { saleId: row.saleId, quantity: row.quantity };
        }),
    } satisfies typeof import('@/lib/order/cancel-order-row'),

    'lib/order/pay-order-row': {
      payOrderRow: (db, { id }, { amountMinor, currency }) =>
        session.run(db, `paid ${id}`, async (tx) => {
          const isOpen = (row: OrderRow) =>
            row.status === 'pending_payment' && row.amountMinor === amountMinor && row.currency === currency;
          const row = await orders.update(tx, String(id), isOpen, (before) => ({
            ...touched(session, before),
            status: 'paid',
            paidAt: session.now,
          }));
          if (row) await note(session, tx, row.orderNo, 'pending_payment', 'paid', 'paid');
          return row?.saleId ?? null;
        }),
    } satisfies typeof import('@/lib/order/pay-order-row'),

    'lib/order/refund-row': {
      refundRow: (db, orderNo, returnsStock) =>
        session.run(db, `refunded ${orderNo}`, async (tx) => {
          const isPaid = (row: OrderRow) => row.status === 'paid';
          let wasSettled = false;
          const row = await orders.update(tx, orderNo, isPaid, (before) => {
            wasSettled = before.stockSettledAt !== null;
            return {
              ...touched(session, before),
              status: 'refunded',
              refundReturnsStock: returnsStock,
              stockSettledAt: null,
            };
          });
          return row && { wasSettled };
        }),
    } satisfies typeof import('@/lib/order/refund-row'),

    'lib/order/reopen-row': {
      keepExpiredRow: (db, orderNo) =>
        session.run(db, `keep ${orderNo}`, async (tx) => {
          const isExpired = (row: OrderRow) => row.status === 'cancelled' && row.endReason === 'expired';
          const row = await orders.update(tx, orderNo, isExpired, (before) => ({
            ...touched(session, before),
            status: 'paid',
            paidAt: session.now,
            cancelledAt: null,
            endReason: null,
            stockSettledAt: session.now,
          }));
          if (row?.isOnlyOne) {
            const isOther = (other: OrderRow) =>
              other.orderNo !== orderNo && other.shard === row.shard && other.userId === row.userId;
            const clashes = (other: OrderRow) => isOther(other) && LIVE.includes(other.status);
            if (await orders.isTaken(tx, clashes)) throw sqlError('23505', 'orders_only_one_key');
          }
          return row !== null;
        }),
    } satisfies Pick<typeof import('@/lib/order/reopen-row'), 'keepExpiredRow'>,

    'lib/order/record-event': {
      recordEvent: (db, { orderNo, from, to, cause }) =>
        session.run(
          db,
          `note ${cause} of ${orderNo}`,
          async (tx) => void (await note(session, tx, orderNo, from, to, cause)),
        ),
    } satisfies typeof import('@/lib/order/record-event'),

    'lib/order/mark-settled': {
      markSettled: async (orderNos, outcome) => {
        if (orderNos.length === 0) return;
        const isDue = (row: OrderRow) =>
          row.stockSettledAt === null && outcome.some((status) => status === row.status);
        await session.run(session.db, `settled ${orderNos}`, (tx) =>
          updateAll(tx, orderNos, isDue, () => ({ stockSettledAt: session.now })),
        );
      },
    } satisfies typeof import('@/lib/order/mark-settled'),
  };
}
