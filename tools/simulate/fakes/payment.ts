import { orderKey } from '@/lib/order/order-key';
import type { PaymentRow } from '../stores/rows';
import type { Transaction } from '../stores/tables';
import type { Session } from './session';

const SEC = 1_000;
const isUnpaid = ({ status }: PaymentRow) => status === 'pending' || status === 'failed';

/** Makes the verbs on payments, over the simulated Postgres: same interface, same conditions. */
export function paymentFakes(session: Session) {
  const { store } = session;
  const { payments, orders } = store;
  const query = ({ id, provider, queries, nextQueryAt }: PaymentRow) => ({
    paymentId: id,
    provider,
    queries,
    nextQueryAt: nextQueryAt === null ? null : new Date(nextQueryAt),
  });
  const booked = (tx: Transaction, row: PaymentRow) => {
    const {
      id: paymentId,
      provider,
      orderNo,
      status,
      amountMinor,
      currency,
      takenMinor,
      takenCurrency,
    } = row;
    const taken =
      takenMinor === null || takenCurrency === null
        ? null
        : { amountMinor: takenMinor, currency: takenCurrency };
    const saleId = orders.get(tx, orderNo)?.saleId ?? '';
    const isAsked = row.nextQueryAt !== null;
    return { paymentId, provider, orderNo, saleId, status, amountMinor, currency, taken, isAsked };
  };

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
          const isDue = ({ nextQueryAt }: PaymentRow) => nextQueryAt !== null && nextQueryAt <= session.now;
          const row = await payments.update(
            tx,
            paymentId,
            ({ status }) => from.includes(status),
            (before) => ({
              status: to,
              updatedAt: session.now,
              refundedAt: to === 'refunded' ? session.now : null,
              settledAt: isSettled ? (before.settledAt ?? session.now) : null,
              nextQueryAt: isSettled && !isDue(before) ? null : before.nextQueryAt,
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

    'lib/payment/owe-back': {
      oweBack: (client, paymentId, taken) =>
        session.run(client, `owe ${taken.amountMinor} ${taken.currency} of ${paymentId}`, async (tx) => {
          const row = await payments.update(tx, paymentId, isUnpaid, {
            status: 'refund_due',
            takenMinor: taken.amountMinor,
            takenCurrency: taken.currency,
            settledAt: session.now,
            refundDecidedAt: session.now,
            nextQueryAt: null,
            updatedAt: session.now,
          });
          return row !== null;
        }),
    } satisfies typeof import('@/lib/payment/owe-back'),

    'lib/payment/mark-sent-back': {
      markSentBack: (client, paymentId, sent) =>
        session.run(client, `${paymentId} sent back`, async (tx) => {
          const isDue = ({ status }: PaymentRow) => status === 'refund_due';
          const row = await payments.update(tx, paymentId, isDue, ({ amountMinor, currency }) => {
            const isOther = amountMinor !== sent.amountMinor || currency !== sent.currency;
            return {
              status: 'refunded',
              refundedAt: session.now,
              updatedAt: session.now,
              takenMinor: isOther ? sent.amountMinor : null,
              takenCurrency: isOther ? sent.currency : null,
            };
          });
          return row !== null;
        }),
    } satisfies typeof import('@/lib/payment/mark-sent-back'),

    'lib/payment/ask-again': {
      askAgain: async (client, paymentIds) => {
        await session.run(client, `ask about ${paymentIds}`, async (tx) => {
          for (const id of paymentIds) {
            await payments.update(
              tx,
              id,
              () => true,
              ({ nextQueryAt, queries }) => ({
                queries: nextQueryAt === null ? 0 : queries,
                nextQueryAt: session.now,
              }),
            );
          }
        });
      },
    } satisfies typeof import('@/lib/payment/ask-again'),

    'lib/payment/own-books': {
      readOwnBooks: (provider, paymentIds) =>
        session.run(session.db, 'read own books', (tx) =>
          payments
            .find(tx, (row) => row.provider === provider && paymentIds.includes(row.id))
            .map((row) => booked(tx, row)),
        ),
      streamOwnBooks: async (saleId, onPage) => {
        const page = await session.run(session.db, 'read own books of the sale', (tx) =>
          payments
            .find(
              tx,
              ({ orderNo, status, openedAt, nextQueryAt }) =>
                orders.get(tx, orderNo)?.saleId === saleId &&
                (status !== 'pending' || openedAt !== null || nextQueryAt !== null),
            )
            .map((row) => booked(tx, row)),
        );
        if (page.length > 0) await onPage(page);
      },
    } satisfies typeof import('@/lib/payment/own-books'),

    'lib/payment/claim-queries': {
      claimQueries: () =>
        session.run(session.db, 'claim queries', async (tx) => {
          const isDue = (row: PaymentRow) => row.nextQueryAt !== null && row.nextQueryAt <= session.now;
          const due = payments.find(tx, (row) => isDue(row) && !payments.cell(row.id).owner).slice(0, 50);
          for (const { id } of due) {
            await payments.update(tx, id, isDue, ({ queries }) => ({
              queries: queries + 1,
              nextQueryAt: session.now + Math.min(30 * 2 ** Math.min(queries, 20), 3_600) * SEC,
            }));
          }
          return due.flatMap(({ id }) => payments.get(tx, id) ?? []).map(query);
        }),
      closeQuery: async ({ paymentId, nextQueryAt }) => {
        if (!nextQueryAt) return;
        const isSame = (row: PaymentRow) =>
          row.nextQueryAt === nextQueryAt.getTime() &&
          (!isUnpaid(row) || (row.openedAt ?? row.createdAt) < session.now - 24 * 3_600 * SEC);
        await session.run(session.db, `close question about ${paymentId}`, (tx) =>
          payments.update(tx, paymentId, isSame, { nextQueryAt: null }),
        );
      },
      findOpened: (orderNos) =>
        session.run(session.db, 'find opened', (tx) =>
          payments
            .find(tx, (row) => {
              const order = orders.get(tx, row.orderNo);
              const isDue = order?.status === 'pending_payment' && order.payBy <= session.now;
              const isKnown = row.openedAt !== null || row.nextQueryAt !== null;
              return orderNos.includes(row.orderNo) && isDue && isKnown && isUnpaid(row);
            })
            .map(query),
        ),
    } satisfies typeof import('@/lib/payment/claim-queries'),
  };
}
