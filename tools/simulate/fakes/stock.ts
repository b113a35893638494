import { keys } from '@/lib/redis/keys';
import { formatBuyerRecords } from '@/lib/stock/buyer-record';
import type { BuyerEntry } from '@/lib/stock/load-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { SimProcess } from '../sim-process';
import { stockOf } from './slices';

/** Makes the stock verbs over the simulated Redis: same interface, each one step. */
export function stockFakes(process: SimProcess) {
  const { stock, redis } = process.world;
  const ask = <T>(what: string, effect: () => T) => process.call('redis', what, effect);
  /** Names the stock that holds an order's units: the sale's, or, if it is split, the buyer's slice. */
  const placed = <Order extends { saleId: string; userId: string }>(order: Order): Order => ({
    ...order,
    saleId: stockOf(process.world, order.saleId, order.userId),
  });

  return {
    'lib/stock/purchase-stock': {
      purchaseStock: (purchase) =>
        ask(`purchase ${purchase.orderNo} of ${purchase.userId}`, () => stock.purchase(purchase)),
    } satisfies typeof import('@/lib/stock/purchase-stock'),

    'lib/stock/confirm-stock': {
      confirmStock: (order) =>
        ask(`confirm ${order.orderNo}`, () => ({ status: stock.confirm(placed(order)) })),
    } satisfies typeof import('@/lib/stock/confirm-stock'),

    'lib/stock/release-stock': {
      releaseStock: (order) =>
        ask(`release ${order.orderNo}`, () => ({ status: stock.release(placed(order)) })),
    } satisfies typeof import('@/lib/stock/release-stock'),

    'lib/stock/reacquire-stock': {
      reacquireStock: (order) =>
        ask(`retake ${order.orderNo} as ${order.as}`, () => ({ status: stock.retake(placed(order)) })),
    } satisfies typeof import('@/lib/stock/reacquire-stock'),

    'lib/stock/take-back-stock': {
      takeBackStock: (order, isForSale) =>
        ask(`take back ${order.orderNo}`, () => ({ status: stock.takeBack(placed(order), isForSale) })),
    } satisfies typeof import('@/lib/stock/take-back-stock'),

    'lib/stock/restock': {
      restock: (change) => ask(`restock by ${change.delta}`, () => stock.restock(change)),
    } satisfies typeof import('@/lib/stock/restock'),

    'lib/stock/configure-stock': {
      configureStock: (change) => ask('configure', () => ({ status: stock.configure(change) })),
    } satisfies typeof import('@/lib/stock/configure-stock'),

    'lib/stock/close-stock': {
      closeStock: (sale) => ask('close', () => stock.close(sale)),
    } satisfies typeof import('@/lib/stock/close-stock'),

    'lib/stock/load-stock': {
      loadStock: async ({ buyers, ...snapshot }) => {
        const { total, available, held, sold, epoch } = snapshot;
        if (total !== -1 && available + held + sold !== total) {
          throw new RangeError('available + held + sold must be total');
        }
        const staged: BuyerEntry[] = [];
        const isAhead = buyers !== undefined && 'stagedKey' in buyers;
        if (!isAhead) for await (const buyer of buyers ?? []) staged.push(buyer);
        const status = await ask(`load epoch ${epoch}: ${available} + ${held} + ${sold}`, () =>
          stock.load(snapshot, isAhead ? buyers : buyers ? staged : null),
        );
        if (isAhead && status !== 'loaded' && status !== 'server_changed')
          await ask('UNLINK what was staged', () => redis.unlink(buyers.stagedKey));
        const { waitlistKey, placesKey } = snapshot.waitlist?.staged ?? {};
        if (status === 'server_changed')
          throw new StockNotLoadedError(`${snapshot.saleId}: Redis was replaced`);
        if (status !== 'loaded' && waitlistKey && placesKey)
          await ask('UNLINK what was staged', () => [waitlistKey, placesKey].map((key) => redis.unlink(key)));
        return { status };
      },
      stageBuyers: (saleId) => {
        const stagedKey = keys.stagedBuyers(saleId, process.world.nextId('nonce'));
        const batch: Record<string, string> = {};
        return {
          add: async ({ userId, records }) => {
            if (records.length > 0) batch[userId] = formatBuyerRecords(records);
          },
          end: async () => {
            if (Object.keys(batch).length > 0)
              await ask(`stage ${saleId}`, () => redis.hset(stagedKey, batch));
            return { stagedKey };
          },
        };
      },
    } satisfies typeof import('@/lib/stock/load-stock'),

    'lib/stock/withdraw-stock': {
      withdrawStock: (saleId) =>
        ask(`UNLINK ${keys.sale(saleId)}`, () => {
          redis.unlink(keys.sale(saleId));
          return String(redis.runIdOf(keys.sale(saleId)));
        }),
    } satisfies typeof import('@/lib/stock/withdraw-stock'),

    'lib/stock/probe-stock': {
      probeStock: (saleId) => ask('probe', () => stock.probe(saleId)),
    } satisfies typeof import('@/lib/stock/probe-stock'),
  };
}
