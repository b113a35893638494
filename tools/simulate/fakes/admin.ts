import type { OrderAccount } from '@/lib/admin/verify/types';
import type { OrderStatus } from '@/lib/contract/words/order';
import { orderKey } from '@/lib/order/order-key';
import { keys } from '@/lib/redis/keys';
import type { SimProcess } from '../sim-process';
import type { OrderRow, SaleRow } from '../stores/rows';
import type { Transaction } from '../stores/tables';
import type { Session } from './session';

const LIVE: readonly OrderStatus[] = ['pending_payment', 'paid'];
const sum = (rows: readonly OrderRow[]) => rows.reduce((units, { quantity }) => units + quantity, 0);

/**
 * Makes the reads that reconciliation and refunds do in Postgres, over the simulated one: same interface, same
 * conditions.
 */
export function adminFakes(process: SimProcess, session: Session) {
  const { executor, redis } = process.world;
  const { store } = session;
  const { orders, payments, sales, letters } = store;
  const account = (row: OrderRow): OrderAccount => ({
    orderNo: row.orderNo,
    userId: row.userId,
    units: row.quantity,
    jti: row.jti,
    epoch: row.epoch,
    status: row.status as OrderAccount['status'],
    settled: row.stockSettledAt !== null,
  });

  const campaignLimitOf = (tx: Transaction, { campaignId }: SaleRow) =>
    campaignId === null ? null : (store.campaigns.get(tx, campaignId)?.limitPerUser ?? null);

  return {
    'lib/admin/verify/read-sale-account': {
      readSaleAccount: (saleId) =>
        session.run(session.db, 'read sale account', (tx) => {
          const sale = sales.get(tx, saleId);
          if (!sale) return null;
          const {
            status,
            strategy,
            epoch,
            limitPerUser,
            totalStock: total,
            heldStock: held,
            soldStock: sold,
          } = sale;
          const rows = orders.find(tx, (row) => row.saleId === saleId);
          const paid = rows.filter((row) => row.status === 'paid');
          return {
            saleId,
            status,
            strategy,
            epoch,
            slices: sale.slices,
            sliceEpochs: sale.sliceEpochs,
            limitPerUser,
            campaignId: sale.campaignId,
            campaignLimit: campaignLimitOf(tx, sale),
            total,
            held,
            sold,
            orders: rows.length,
            onStockOutage: 'closed',
            isInDatabase: strategy === 'database',
            liveUnits: sum(rows.filter((row) => LIVE.includes(row.status))),
            paidUnits: sum(paid),
            settledPaidUnits: sum(paid.filter((row) => row.stockSettledAt !== null)),
          };
        }),
    } satisfies typeof import('@/lib/admin/verify/read-sale-account'),

    'lib/admin/verify/read-orders': {
      streamOrders: async (saleId, onPage) => {
        const rows = await session.run(session.db, 'read orders', (tx) =>
          orders.find(tx, (row) => row.saleId === saleId),
        );
        if (rows.length > 0) await onPage(rows.map(account));
      },
      findUnwritten: (saleId, refs) =>
        session.run(session.db, 'find unwritten', (tx) =>
          refs.filter(({ orderNo, userId }) => {
            const row = orders.get(tx, orderNo);
            return row?.saleId !== saleId || row.userId !== userId;
          }),
        ),
      findOrders: (refs) =>
        session.run(session.db, 'find orders', (tx) => {
          const rows = refs.flatMap(({ orderNo }) => orders.get(tx, orderNo) ?? []);
          return new Map(rows.map((row) => [row.orderNo, account(row)]));
        }),
    } satisfies typeof import('@/lib/admin/verify/read-orders'),

    'lib/admin/verify/find-whereabouts': {
      findInOutbox: (saleId, orderNos) =>
        process.call('redis', 'look into the outbox', () => {
          const entries = redis.xrange(keys.outbox(saleId), '-', Number.POSITIVE_INFINITY);
          return new Set(entries.flatMap(([, fields]) => fields.filter((word) => orderNos.has(word))));
        }),
      findInExecutor: (saleId, orderNos) =>
        session.run(session.db, 'look into the executor', () => {
          const batches = executor.openBatches().filter((batch) => batch.saleId === saleId);
          const known = batches.flatMap((batch) => batch.orders.map((order) => order.orderNo));
          return new Set(known.filter((orderNo) => orderNos.has(orderNo)));
        }),
      findDeadLetters: (saleId, orderNos) =>
        session.run(session.db, 'look for dead letters', (tx) => {
          const found = new Map<string, { released: boolean }>();
          for (const { orderNo, releasedAt } of letters.find(tx, (letter) => letter.saleId === saleId)) {
            if (orderNo === null || !orderNos.includes(orderNo)) continue;
            found.set(orderNo, { released: releasedAt !== null || found.get(orderNo)?.released === true });
          }
          return found;
        }),
    } satisfies typeof import('@/lib/admin/verify/find-whereabouts'),

    'lib/admin/verify/check-orders': {
      checkPayments: async (saleId, findings) => {
        const wrong = await session.run(session.db, 'check payments', (tx) =>
          orders
            .find(tx, (row) => row.saleId === saleId)
            .map((row) => ({ ...row, payment: payments.get(tx, `pay_${row.orderNo}`)?.status }))
            .filter((row) => !fits(row, row.payment)),
        );
        for (const { orderNo, status, amountMinor, payment = 'none' } of wrong) {
          const amounts = { amountMinor, paidMinor: amountMinor };
          findings.add(7, 'wrong_payment', { orderNo, order: status, ...amounts, payment });
        }
      },
    } satisfies Pick<typeof import('@/lib/admin/verify/check-orders'), 'checkPayments'>,

    'lib/admin/reconcile/keep-report': {
      keepReport: (tx, report) =>
        session.run(tx, `reconciled: ${JSON.stringify(report.counts)} repaired ${report.repaired}`, () => {}),
    } satisfies Pick<typeof import('@/lib/admin/reconcile/keep-report'), 'keepReport'>,

    // Nobody watches the progress here.
    'lib/admin/reconcile/progress': {
      openProgress: () => ({ tell: () => {}, end: async () => {} }),
      readProgress: async () => null,
    } satisfies typeof import('@/lib/admin/reconcile/progress'),
    // Nobody changes a sale's settings in the simulation.
    'lib/admin/reconcile/check-settings': {
      checkSettings: async () => [],
    } satisfies typeof import('@/lib/admin/reconcile/check-settings'),
    'lib/admin/sales/sync-settings': {
      syncSettings: async () => {},
    } satisfies typeof import('@/lib/admin/sales/sync-settings'),

    'lib/audit/record-action': {
      recordAction: (tx, _actor, { action }) => session.run(tx, `record ${action}`, () => {}),
      recordActions: (tx) => session.run(tx, 'record', () => {}),
    } satisfies typeof import('@/lib/audit/record-action'),

    // The merchant owns the shop all the time.
    'lib/shop/find-standing': {
      findStanding: async () => ({ role: 'owner', topics: [] }),
      holdStanding: async () => ({ role: 'owner', topics: [] }),
    } satisfies Pick<typeof import('@/lib/shop/find-standing'), 'findStanding' | 'holdStanding'>,

    'lib/admin/orders/find-managed-order': {
      findManagedOrder: (_actor, orderNo) =>
        session.run(session.db, 'find managed order', (tx) => {
          const row = orders.get(tx, orderNo);
          const paymentId = payments.get(tx, `pay_${orderNo}`)?.id ?? null;
          return row && { order: view(row, session.now), userId: row.userId, paymentId, shopId: 'merchant' };
        }),
    } satisfies typeof import('@/lib/admin/orders/find-managed-order'),

    'lib/admin/orders/read-managed-order': {
      readManagedOrder: (_actor, orderNo) =>
        session.run(session.db, 'read managed order', (tx) => {
          const row = orders.get(tx, orderNo);
          return row && { ...view(row, session.now), userId: row.userId, payment: null, history: [] };
        }),
    } satisfies typeof import('@/lib/admin/orders/read-managed-order'),

    // Nothing is shipped in the simulation.
    'lib/order/forget-addresses': {
      forgetIfDeleted: async () => {},
    } satisfies Pick<typeof import('@/lib/order/forget-addresses'), 'forgetIfDeleted'>,

    'lib/order/read-order': {
      readOrder: (userId, orderNo) =>
        session.run(session.db, 'read order', (tx) => {
          const row = orders.get(tx, String(orderKey(orderNo).id));
          return row?.userId === userId ? view(row, session.now) : null;
        }),
    } satisfies Pick<typeof import('@/lib/order/read-order'), 'readOrder'>,
  };
}

function fits({ status }: OrderRow, payment: string | undefined): boolean {
  if (status === 'paid') return payment === 'succeeded';
  if (status === 'refunded') return payment === 'refund_due' || payment === 'refunded';
  if (status === 'pending_payment') return payment === 'pending' || payment === 'failed';
  return payment !== 'succeeded';
}

function view(row: OrderRow, serverTime: number) {
  const { orderNo, saleId, quantity, unitPriceMinor, amountMinor, currency, status, payBy, createdAt } = row;
  const { paidAt, cancelledAt, endReason, version } = row;
  return {
    orderNo,
    saleId,
    saleTitle: 'Sale',
    saleSlug: 'sale',
    campaign: null,
    imageUrl: null,
    quantity,
    unitPriceMinor,
    amountMinor,
    currency,
    status,
    payBy,
    createdAt,
    paidAt,
    cancelledAt,
    endReason,
    provider: 'sandbox',
    delivery: null,
    serverTime,
    version,
  };
}
