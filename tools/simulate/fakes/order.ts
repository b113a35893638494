import { Buffer } from 'node:buffer';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/order/order-key';
import type { BuyerOrders } from '@/lib/order/stream-buyers';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { checkOrder, type OrderRow, type PaymentRow } from '../stores/rows';
import { sqlError, type Transaction } from '../stores/tables';
import type { outboxFakes } from './outbox';
import type { Session } from './session';

type HoldState = BuyerOrders['records'][number]['state'];

const LIVE: readonly OrderStatus[] = ['pending_payment', 'paid'];
const ENDED: readonly OrderStatus[] = ['paid', 'cancelled', 'failed', 'refunded'];
const SEC = 1_000;
const byNumber = (a: { orderNo: string }, b: { orderNo: string }) =>
  a.orderNo.length - b.orderNo.length || Buffer.compare(Buffer.from(a.orderNo), Buffer.from(b.orderNo));

const opened = ({ id: paymentId, orderNo, provider, amountMinor, currency }: PaymentRow) => ({
  paymentId,
  orderNo,
  provider,
  amountMinor,
  currency,
});

/** The verbs on orders, over the simulated Postgres: same interface, same conditions. */
export function orderFakes(session: Session, outbox: ReturnType<typeof outboxFakes>) {
  const { store } = session;
  const { orders, payments, sales } = store;
  const stockOrder = ({ orderNo, saleId, userId }: OrderRow) => ({ orderNo, saleId, userId });

  const note = (tx: Transaction, orderNo: string, from: string, to: string, cause: string) =>
    store.events.insert(tx, String(store.nextId()), { orderNo, at: session.now, from, to, cause });

  /** Those of `orderNos` that fit, by number, each changed under its lock. */
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

  /** As the two unique indexes and the primary key of orders refuse a row; each partition is its own world. */
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

  const settle = (row: OrderRow): Partial<OrderRow> => ({ version: row.version + 1, updatedAt: session.now });

  return {
    'lib/order/insert-orders': {
      insertOrders: (db, saleId, accepted, provider) =>
        session.run(db, `insert ${accepted.map(({ orderNo }) => orderNo)}`, async (tx) => {
          const written: OrderRow[] = [];
          for (const order of accepted) {
            const row = newRow(tx, saleId, order);
            if (!row) continue;
            // Postgres looks at the CHECKs before it looks for a conflict.
            checkOrder(row);
            if (await isRefused(tx, row)) continue;
            await orders.insert(tx, order.orderNo, row);
            if (!(await pay(tx, row, provider))) throw sqlError('23505', 'payments_pkey');
            written.push(row);
          }
          const stranger = written.find(({ userId }) => !store.users.has(userId));
          if (stranger) throw sqlError('23503', `orders_user_id_fkey: ${stranger.userId}`);
          return {
            count: written.length,
            units: written.reduce((sum, { quantity }) => sum + quantity, 0),
            deadlineAt: Math.max(0, ...written.map(({ payBy }) => payBy)),
          };
        }),
    } satisfies typeof import('@/lib/order/insert-orders'),

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
          await note(tx, orderNo, 'queued', 'failed', 'failed');
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

    'lib/order/expire-orders': {
      expireOrders: (db, saleId, orderNos) =>
        session.run(db, `expire ${orderNos}`, async (tx) => {
          const isDue = (row: OrderRow) =>
            row.saleId === saleId && row.status === 'pending_payment' && row.payBy <= session.now;
          const expired = await updateAll(tx, orderNos, isDue, (row) => ({
            ...settle(row),
            status: 'cancelled',
            cancelledAt: session.now,
            endReason: 'expired',
            stockSettledAt: null,
          }));
          for (const { orderNo } of expired)
            await note(tx, orderNo, 'pending_payment', 'cancelled', 'expired');
          const units = expired.reduce((sum, { quantity }) => sum + quantity, 0);
          return { orders: expired.map(stockOrder), units };
        }),
    } satisfies typeof import('@/lib/order/expire-orders'),

    'lib/order/cancel-order-row': {
      cancelOrderRow: (db, { userId, orderNo }, reason) =>
        session.run(db, `cancel ${orderNo}`, async (tx) => {
          const isOpen = (row: OrderRow) => row.userId === userId && row.status === 'pending_payment';
          const row = await orders.update(tx, orderNo, isOpen, (before) => ({
            ...settle(before),
            status: 'cancelled',
            cancelledAt: session.now,
            endReason: reason,
            stockSettledAt: null,
          }));
          if (!row) return null;
          await note(tx, orderNo, 'pending_payment', 'cancelled', reason);
          return { saleId: row.saleId, quantity: row.quantity };
        }),
    } satisfies typeof import('@/lib/order/cancel-order-row'),

    'lib/order/pay-order-row': {
      payOrderRow: (db, { id }, { amountMinor, currency }) =>
        session.run(db, `paid ${id}`, async (tx) => {
          const isOpen = (row: OrderRow) =>
            row.status === 'pending_payment' && row.amountMinor === amountMinor && row.currency === currency;
          const row = await orders.update(tx, String(id), isOpen, (before) => ({
            ...settle(before),
            status: 'paid',
            paidAt: session.now,
          }));
          if (row) await note(tx, row.orderNo, 'pending_payment', 'paid', 'paid');
          return row?.saleId ?? null;
        }),
    } satisfies typeof import('@/lib/order/pay-order-row'),

    'lib/order/refund-row': {
      refundRow: (db, orderNo, returnsStock) =>
        session.run(db, `refunded ${orderNo}`, async (tx) => {
          const isPaid = (row: OrderRow) => row.status === 'paid';
          const row = await orders.update(tx, orderNo, isPaid, (before) => ({
            ...settle(before),
            status: 'refunded',
            refundReturnsStock: returnsStock,
            stockSettledAt: null,
          }));
          return row !== null;
        }),
    } satisfies typeof import('@/lib/order/refund-row'),

    'lib/order/reopen-row': {
      keepExpiredRow: (db, orderNo) =>
        session.run(db, `keep ${orderNo}`, async (tx) => {
          const isExpired = (row: OrderRow) => row.status === 'cancelled' && row.endReason === 'expired';
          const row = await orders.update(tx, orderNo, isExpired, (before) => ({
            ...settle(before),
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
          async (tx) => void (await note(tx, orderNo, from, to, cause)),
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

    'lib/order/find-paid': {
      findPaid: (db, saleId, orderNos) =>
        session.run(db, 'find paid', (tx) =>
          orders
            .find(
              tx,
              (row) => row.saleId === saleId && row.status === 'paid' && orderNos.includes(row.orderNo),
            )
            .sort(byNumber)
            .map((row) => ({ ...stockOrder(row), quantity: row.quantity })),
        ),
    } satisfies typeof import('@/lib/order/find-paid'),

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
            ...settle(before),
          }));
          return row !== null;
        }),
    } satisfies typeof import('@/lib/order/reprice-row'),

    'lib/order/stream-buyers': {
      streamBuyers: async function* (db, saleId) {
        yield* await session.run(db, 'read buyers', (tx) => {
          const stateOf = ({ status, orderNo }: OrderRow): HoldState => {
            if (status !== 'paid') return status === 'pending_payment' ? 'held' : 'released';
            return store.processed.get(tx, `confirm-paid ${orderNo}`) ? 'sold' : 'held';
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
