import type { BuyerEntry } from '@/lib/stock/load-stock';
import type { SimProcess } from '../sim-process';

/** Makes the stock verbs over the simulated Redis: same interface, each one step. */
export function stockFakes(process: SimProcess) {
  const { stock } = process.world;
  const ask = <T>(what: string, effect: () => T) => process.call('redis', what, effect);

  return {
    'lib/stock/purchase-stock': {
      purchaseStock: (purchase) =>
        ask(`purchase ${purchase.orderNo} of ${purchase.userId}`, () => stock.purchase(purchase)),
    } satisfies typeof import('@/lib/stock/purchase-stock'),

    'lib/stock/confirm-stock': {
      confirmStock: (order) => ask(`confirm ${order.orderNo}`, () => ({ status: stock.confirm(order) })),
    } satisfies typeof import('@/lib/stock/confirm-stock'),

    'lib/stock/release-stock': {
      releaseStock: (order) => ask(`release ${order.orderNo}`, () => ({ status: stock.release(order) })),
    } satisfies typeof import('@/lib/stock/release-stock'),

    'lib/stock/reacquire-stock': {
      reacquireStock: (order) =>
        ask(`retake ${order.orderNo} as ${order.as}`, () => ({ status: stock.retake(order) })),
    } satisfies typeof import('@/lib/stock/reacquire-stock'),

    'lib/stock/take-back-stock': {
      takeBackStock: (order, isForSale) =>
        ask(`take back ${order.orderNo}`, () => ({ status: stock.takeBack(order, isForSale) })),
    } satisfies typeof import('@/lib/stock/take-back-stock'),

    'lib/stock/load-stock': {
      loadStock: async ({ buyers, ...snapshot }) => {
        const { total, available, held, sold, epoch } = snapshot;
        if (total !== -1 && available + held + sold !== total) {
          throw new RangeError('available + held + sold must be total');
        }
        const staged: BuyerEntry[] = [];
        if (buyers && 'stagedKey' in buyers) throw new Error('no slices are simulated');
        for await (const buyer of buyers ?? []) staged.push(buyer);
        return ask(`load epoch ${epoch}: ${available} + ${held} + ${sold}`, () => ({
          status: stock.load(snapshot, buyers ? staged : null),
        }));
      },
    } satisfies Pick<typeof import('@/lib/stock/load-stock'), 'loadStock'>,

    'lib/stock/probe-stock': {
      probeStock: (saleId) => ask('probe', () => stock.probe(saleId)),
    } satisfies typeof import('@/lib/stock/probe-stock'),
  };
}
