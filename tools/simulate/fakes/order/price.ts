import type { OrderRow, PaymentRow } from '../../stores/rows';
import { sqlError } from '../../stores/tables';
import type { Session } from '../session';
import { note, opened, SEC, touched } from './rows';

/** Makes the verbs on an order's price and payment before the money arrives. */
export function priceFakes(session: Session) {
  const { orders, payments, paymentEvents, messages } = session.store;

  return {
    'lib/order/pay-at-once': {
      payAtOnce: (provider, { webhookId, paymentId, amountMinor, currency }, orderNo, news) =>
        session.run(session.db, `pay ${orderNo} at once, callback ${webhookId}`, async (tx) => {
          const isExact = (row: { amountMinor: number; currency: string }) =>
            row.amountMinor === amountMinor && row.currency === currency;
          const isOpen = (row: PaymentRow) =>
            row.provider === provider &&
            row.orderNo === orderNo &&
            (row.status === 'pending' || row.status === 'failed') &&
            isExact(row);
          const payment = await payments.update(tx, paymentId, isOpen, ({ settledAt, nextQueryAt }) => ({
            status: 'succeeded',
            updatedAt: session.now,
            refundedAt: null,
            settledAt: settledAt ?? session.now,
            nextQueryAt: nextQueryAt !== null && nextQueryAt <= session.now ? nextQueryAt : null,
          }));
          if (!payment) return false;
          const isWaiting = (row: OrderRow) => row.status === 'pending_payment' && isExact(row);
          const row = await orders.update(tx, orderNo, isWaiting, (before) => ({
            ...touched(session, before),
            status: 'paid',
            paidAt: session.now,
          }));
          if (!row) throw sqlError('22012', 'division by zero');
          await note(session, tx, orderNo, 'pending_payment', 'paid', 'paid');
          for (const { topic, payload } of news) {
            const id = session.store.nextId();
            const at = { nextAttemptAt: session.now, createdAt: session.now, sentAt: null };
            const told = { ...payload, saleId: row.saleId };
            await messages.insert(tx, String(id), { id, topic, payload: told, attempts: 0, ...at });
          }
          const isNew = await paymentEvents.insert(tx, `${provider} ${webhookId}`, {
            paymentId,
            outcome: 'applied',
          });
          if (!isNew) throw sqlError('23505', 'payment_events_pkey');
          return true;
        }),
    } satisfies typeof import('@/lib/order/pay-at-once'),

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
