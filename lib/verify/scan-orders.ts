import 'server-only';
import { judgePurchase } from './judge-purchase';
import { streamOrders } from './read-orders';
import { readBuyers } from './read-purchases';
import type { Scope, Suspect, SuspectList } from './suspect-list';

/** Goes through every order and compares it with its purchase; those that don't fit at first become suspects. */
export async function scanOrders(scope: Scope, suspects: SuspectList): Promise<void> {
  await streamOrders(scope.saleId, async (orders) => {
    const buyers = await readBuyers(
      scope.saleId,
      orders.map((order) => order.userId),
    );
    const misfits: Suspect[] = [];
    orders.forEach((order, i) => {
      const { orderNo, userId, units } = order;
      const purchase = buyers[i]?.purchases?.find((candidate) => candidate.orderNo === orderNo);
      const verdict = judgePurchase({
        orderNo,
        userId,
        purchase,
        order,
        epoch: scope.epochOf(userId),
        // Only matters for purchases without an order.
        whereabouts: { place: 'outbox' },
        isExecutorRemote: false,
      });
      if (verdict.status === 'broken') misfits.push({ orderNo, userId, units });
    });
    await suspects.add(misfits);
  });
}
