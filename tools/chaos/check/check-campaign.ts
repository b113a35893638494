import { firstExcess, spanOf } from './timeline';
import type { Case, OrderRow, Violation } from './types';

/** Checks that nobody has more units in all sales of a campaign together than its limit, at any moment. */
export function checkCampaign(rounds: readonly Case[], limit: number): Violation[] {
  const byUser = new Map<string, OrderRow[]>();
  for (const order of rounds.flatMap(({ books }) => books.orders))
    byUser.set(order.userId, [...(byUser.get(order.userId) ?? []), order]);
  return [...byUser].flatMap(([userId, own]): Violation[] => {
    const over = firstExcess(own.map(spanOf), () => limit);
    if (!over) return [];
    const problem = `${userId} had ${over.units} units of the campaign at ${over.at}`;
    return [{ rule: 'limit of a campaign', problem, orderNos: own.map(({ orderNo }) => orderNo) }];
  });
}
