import type { WhyPassed } from '@/lib/contract/words/waitlist';
import { keys } from '@/lib/redis/keys';

/** A shopper who waits for a unit: the order number of the place, and why the shopper may not buy any more; null: may. */
export type NextWaiting = { userId: string; orderNo: string; barredBy: WhyPassed | null };

/** The keys of the scripts that give units to those who wait for one. */
export const givingKeys = (stockId: string): readonly string[] => [
  keys.sale(stockId),
  keys.buyers(stockId),
  keys.outbox(stockId),
  keys.waitlist(stockId),
  keys.places(stockId),
];

/** Formats the people to whom these scripts may give a unit. */
export const formatNext = (due: readonly NextWaiting[]): readonly string[] =>
  due.map(({ userId, orderNo, barredBy }) => `${userId} ${orderNo} ${barredBy ?? 1}`);
