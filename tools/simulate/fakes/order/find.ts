import type { OrderStatus } from '@/lib/contract/words/order';
import type { Db } from '@/lib/db/client';
import type { BuyerOrders } from '@/lib/order/stream-buyers';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { OrderRow } from '../../stores/rows';
import type { Session } from '../session';
import { byNumber, SEC, stockOrder } from './rows';

type HoldState = BuyerOrders['records'][number]['state'];

const ENDED: readonly OrderStatus[] = ['paid', 'cancelled', 'failed', 'refunded'];

/** Makes the verbs that only read orders. */
export function findFakes(session: Session) {
  const { store } = session;
  const { orders } = store;

  return {
    'lib/order/read-batch': {
      readBatch: (saleId, orderNos) =>
        session.run(session.db, 'read batch', (tx) => {
          const rows = orders
            .find(tx, (row) => row.saleId === saleId && orderNos.includes(row.orderNo))
            .sort(byNumber);
          const pending = rows.filter(({ status }) => status === 'pending_payment');
          const unsettled = rows.filter((row) => row.status === 'failed' && row.stockSettledAt === null);
          return {
            pending: pending.map(({ orderNo }) => orderNo),
            deadlineAt: pending.length === 0 ? null : Math.max(...pending.map(({ payBy }) => payBy)),
            unsettled: unsettled.map(stockOrder),
          };
        }),
    } satisfies typeof import('@/lib/order/read-batch'),

    'lib/order/find-written': {
      findWritten: (db: Db, saleId: string, orderNos: readonly string[]) =>
        session.run(db, 'find written', (tx) => {
          const isDead = ({ consumer, saleId: of }: { consumer: string; saleId: string | null }) =>
            of === saleId && (consumer === 'create-orders' || consumer === 'relay');
          const letters = store.letters.find(tx, isDead).map(({ orderNo }) => orderNo);
          const written = orders.find(tx, (row) => row.saleId === saleId).map(({ orderNo }) => orderNo);
          const known = new Set([...written, ...letters]);
          return new Set(orderNos.filter((orderNo) => known.has(orderNo)));
        }),
    } satisfies typeof import('@/lib/order/find-written'),

    'lib/order/which-written': {
      whichWritten: (orderNos) =>
        session.run(session.db, 'which are written', (tx) => {
          const isDead = ({ consumer }: { consumer: string }) =>
            consumer === 'create-orders' || consumer === 'relay';
          const letters = store.letters.find(tx, isDead).map(({ orderNo }) => orderNo);
          return new Set(orderNos.filter((no) => letters.includes(no) || orders.get(tx, no) !== null));
        }),
    } satisfies typeof import('@/lib/order/which-written'),

    'lib/order/find-due': {
      findDue: (saleIds, limit) =>
        session.run(session.db, 'find due', (tx) =>
          orders
            .find(
              tx,
              ({ status, payBy, saleId }) =>
                status === 'pending_payment' && payBy <= session.now && saleIds.includes(saleId),
            )
            .sort((a, b) => a.payBy - b.payBy)
            .slice(0, limit)
            .map(({ orderNo }) => orderNo),
        ),
    } satisfies typeof import('@/lib/order/find-due'),

    'lib/order/find-overdue': {
      findOverdue: (exceptSales = []) =>
        session.run(session.db, 'find overdue', (tx) =>
          orders
            .find(
              tx,
              ({ status, payBy, saleId }) =>
                status === 'pending_payment' &&
                payBy < session.now - 5 * SEC &&
                !exceptSales.includes(saleId),
            )
            .sort((a, b) => a.payBy - b.payBy)
            .slice(0, 100)
            .map(stockOrder),
        ),
    } satisfies typeof import('@/lib/order/find-overdue'),

    'lib/order/find-unsettled': {
      findUnsettled: (exceptSales = []) =>
        session.run(session.db, 'find unsettled', (tx) =>
          orders
            .find(
              tx,
              ({ status, stockSettledAt, updatedAt, saleId }) =>
                stockSettledAt === null &&
                ENDED.includes(status) &&
                updatedAt < session.now - 10 * SEC &&
                !exceptSales.includes(saleId),
            )
            .sort((a, b) => a.updatedAt - b.updatedAt)
            .slice(0, 100)
            .map((row) => ({ ...stockOrder(row), status: row.status })),
        ),
    } satisfies typeof import('@/lib/order/find-unsettled'),

    'lib/order/stream-buyers': {
      streamBuyers: async function* (db, saleId) {
        yield* await session.run(db, 'read buyers', (tx) => {
          const stateOf = ({ status, orderNo, stockSettledAt }: OrderRow): HoldState => {
            if (status !== 'paid') return status === 'pending_payment' ? 'held' : 'released';
            const isCounted = stockSettledAt !== null || store.processed.get(tx, `confirm-paid ${orderNo}`);
            return isCounted ? 'sold' : 'held';
          };
          const written = orders.find(tx, (row) => row.saleId === saleId);
          const isWritten = ({ orderNo, jti }: AcceptedOrder) =>
            orders.find(tx, (row) => row.orderNo === orderNo || row.jti === jti).length > 0;
          const givenUp = store.letters
            .find(tx, (letter) => letter.saleId === saleId && letter.messageId === letter.orderNo)
            .filter(({ consumer }) => consumer === 'create-orders' || consumer === 'relay')
            .map(({ payload }) => payload as AcceptedOrder)
            .filter((order) => !isWritten(order));
          const bought = [
            ...written.map((row) => ({ ...row, state: stateOf(row) })),
            ...givenUp.map((order) => ({ ...order, state: 'released' as const })),
          ].sort(byNumber);
          const users = new Map<string, BuyerOrders>();
          for (const { userId, jti, orderNo, quantity, state } of bought) {
            const buyer = users.get(userId) ?? { userId, records: [] };
            buyer.records.push({ jti, orderNo, units: quantity, state });
            users.set(userId, buyer);
          }
          return [...users.keys()].sort().map((userId) => users.get(userId) as BuyerOrders);
        });
      },
    } satisfies typeof import('@/lib/order/stream-buyers'),
  };
}
