import type { OrderRow, PaymentRow } from '../../stores/rows';
import type { Session } from '../session';
import { opened, SEC, touched } from './rows';

/** Makes the verbs on an order's price and payment before the money arrives. */
export function priceFakes(session: Session) {
  const { orders, payments } = session.store;

  return {
    'lib/order/open-payment': {
      openPayment: (userId, orderNo) =>
        session.run(session.db, `open payment of ${orderNo}`, async (tx) => {
          const order = orders.get(tx, orderNo);
          const isDue = order?.userId === userId && order.status === 'pending_payment';
          if (!isDue || order.payBy <= session.now) return null;
          const isUnpaid = ({ status }: PaymentRow) => status === 'pending' || status === 'failed';
          const row = await payments.update(tx, `pay_${orderNo}`, isUnpaid, ({ nextQueryAt }) => ({
            openedAt: session.now,
            queries: 0,
            nextQueryAt: Math.min(nextQueryAt ?? Number.POSITIVE_INFINITY, session.now + 30 * SEC),
          }));
          return row && opened(row);
        }),
    } satisfies typeof import('@/lib/order/open-payment'),

    'lib/order/find-paid-payment': {
      findPaidPayment: (userId, orderNo) =>
        session.run(session.db, 'find paid payment', (tx) => {
          const order = orders.get(tx, orderNo);
          if (order?.userId !== userId || order.status !== 'paid') return null;
          const row = payments.get(tx, `pay_${orderNo}`);
          return row && opened(row);
        }),
    } satisfies typeof import('@/lib/order/find-paid-payment'),

    'lib/order/lock-priced': {
      lockPriced: async (db, orderNo) => {
        const isOpened = await session.run(db, `lock payment of ${orderNo}`, async (tx) => {
          if (!payments.get(tx, `pay_${orderNo}`)) return false;
          await tx.lock(payments, `pay_${orderNo}`);
          return payments.get(tx, `pay_${orderNo}`)?.openedAt !== null;
        });
        return session.run(db, `lock ${orderNo}`, async (tx) => {
          if (!orders.get(tx, orderNo)) return null;
          await tx.lock(orders, orderNo);
          const row = orders.get(tx, orderNo);
          if (!row) return null;
          const { saleId, status, version, quantity, unitPriceMinor, amountMinor, currency } = row;
          return { saleId, status, version, quantity, unitPriceMinor, amountMinor, currency, isOpened };
        });
      },
    } satisfies typeof import('@/lib/order/lock-priced'),

    'lib/order/reprice-row': {
      repriceRow: (db, orderNo, price) =>
        session.run(db, `reprice ${orderNo} ${price.amountMinor}`, async (tx) => {
          const isOpen = ({ status, openedAt }: PaymentRow) =>
            (status === 'pending' || status === 'failed') && openedAt === null;
          const payment = await payments.update(tx, `pay_${orderNo}`, isOpen, {
            amountMinor: price.amountMinor,
            updatedAt: session.now,
          });
          if (!payment) return false;
          const isWaiting = ({ status }: OrderRow) => status === 'pending_payment';
          const row = await orders.update(tx, orderNo, isWaiting, (before) => ({
            ...price,
            ...touched(session, before),
          }));
          return row !== null;
        }),
    } satisfies typeof import('@/lib/order/reprice-row'),
  };
}
