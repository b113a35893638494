import { orderKey } from '@/lib/order/order-key';
import type { PaymentRow } from '../stores/rows';
import type { Session } from './session';

const SEC = 1_000;
const isUnpaid = ({ status }: PaymentRow) => status === 'pending' || status === 'failed';

/** The verbs on payments, over the simulated Postgres: same interface, same conditions. */
export function paymentLeaves(session: Session) {
  const { store } = session;
  const { payments, orders } = store;
  const query = ({ id, provider }: PaymentRow) => ({ paymentId: id, provider });

  return {
    'lib/payment/lock-payment': {
      lockPayment: (client, provider, paymentId) =>
        session.run(client, `lock ${paymentId}`, async (tx) => {
          if (payments.get(tx, paymentId)?.provider !== provider) return null;
          await tx.lock(payments, paymentId);
          const row = payments.get(tx, paymentId);
          if (!row) return null;
          const { shard, id } = orderKey(row.orderNo);
          const { amountMinor: amount_minor, currency, status } = row;
          return { id: paymentId, shard, order_id: id, amount_minor, currency, status };
        }),
    } satisfies typeof import('@/lib/payment/lock-payment'),

    'lib/payment/move-payment': {
      movePayment: (client, paymentId, from, to) =>
        session.run(client, `${paymentId} ${to}`, async (tx) => {
          const isSettled = to === 'succeeded' || to === 'refund_due' || to === 'refunded';
          const row = await payments.update(
            tx,
            paymentId,
            ({ status }) => from.includes(status),
            (before) => ({
              ...{ status: to, updatedAt: session.now, refundedAt: to === 'refunded' ? session.now : null },
              settledAt: isSettled ? (before.settledAt ?? session.now) : null,
            }),
          );
          return row !== null;
        }),
    } satisfies typeof import('@/lib/payment/move-payment'),

    'lib/payment/record-event': {
      isRecorded: (client, provider, webhookId) =>
        session.run(
          client,
          'look for callback',
          (tx) => store.paymentEvents.get(tx, `${provider} ${webhookId}`) !== null,
        ),
      recordEvent: (client, provider, { webhookId, paymentId }, outcome) =>
        session.run(client, `callback ${webhookId} ${outcome}`, (tx) =>
          store.paymentEvents.insert(tx, `${provider} ${webhookId}`, { paymentId, outcome }),
        ),
    } satisfies typeof import('@/lib/payment/record-event'),

    'lib/payment/decide-refund': {
      decideRefund: (client, paymentId) =>
        session.run(client, `refund of ${paymentId} decided`, async (tx) => {
          const isOpen = (row: PaymentRow) => row.status === 'refund_due' && row.refundDecidedAt === null;
          return (await payments.update(tx, paymentId, isOpen, { refundDecidedAt: session.now })) !== null;
        }),
      isRefundOpen: (client, paymentId) =>
        session.run(client, `is refund of ${paymentId} open`, (tx) => {
          const row = payments.get(tx, paymentId);
          return row?.status === 'refund_due' && row.refundDecidedAt === null;
        }),
    } satisfies typeof import('@/lib/payment/decide-refund'),

    'lib/payment/find-payment': {
      findPayment: (paymentId) =>
        session.run(session.db, `read ${paymentId}`, (tx) => {
          const row = payments.get(tx, paymentId);
          if (!row) return null;
          const { orderNo, amountMinor, currency, provider, status } = row;
          const saleId = orders.get(tx, orderNo)?.saleId ?? '';
          return { paymentId, orderNo, amountMinor, currency, provider, status, saleId, title: 'Sale' };
        }),
    } satisfies typeof import('@/lib/payment/find-payment'),

    'lib/payment/find-refunds-due': {
      findRefundsDue: (except = []) =>
        session.run(session.db, 'find refunds due', (tx) =>
          payments
            .find(
              tx,
              ({ id, status, updatedAt }) =>
                status === 'refund_due' && updatedAt < session.now - 60 * SEC && !except.includes(id),
            )
            .sort((a, b) => a.updatedAt - b.updatedAt)
            .slice(0, 100)
            .map(({ id }) => id),
        ),
    } satisfies typeof import('@/lib/payment/find-refunds-due'),

    'lib/payment/mark-opened': {
      markOpened: async (paymentId) => {
        await session.run(session.db, `opened ${paymentId}`, (tx) =>
          payments.update(tx, paymentId, isUnpaid, {
            ...{ openedAt: session.now, queries: 0, nextQueryAt: session.now + 30 * SEC },
          }),
        );
      },
    } satisfies typeof import('@/lib/payment/mark-opened'),

    'lib/payment/claim-queries': {
      claimQueries: () =>
        session.run(session.db, 'claim queries', async (tx) => {
          const isDue = (row: PaymentRow) =>
            row.nextQueryAt !== null && row.nextQueryAt <= session.now && isUnpaid(row);
          const due = payments.find(tx, (row) => isDue(row) && !payments.cell(row.id).owner).slice(0, 50);
          for (const { id } of due) {
            await payments.update(tx, id, isDue, ({ queries, openedAt }) => ({
              queries: queries + 1,
              nextQueryAt:
                (openedAt ?? 0) < session.now - 24 * 3_600 * SEC
                  ? null
                  : session.now + Math.min(30 * 2 ** Math.min(queries, 20), 3_600) * SEC,
            }));
          }
          return due.map(query);
        }),
      findOpened: (_shards, ids) =>
        session.run(session.db, 'find opened', (tx) =>
          payments
            .find(tx, (row) => {
              const order = orders.get(tx, row.orderNo);
              const isDue = order?.status === 'pending_payment' && order.payBy <= session.now;
              return ids.includes(row.orderNo) && isDue && row.openedAt !== null && isUnpaid(row);
            })
            .map(query),
        ),
    } satisfies typeof import('@/lib/payment/claim-queries'),
  };
}
