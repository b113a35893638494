import { keys } from '@/lib/redis/keys';

/** A shopper who waits for a unit: the order number of the place, and whether the shopper may still buy. */
export type Due = { userId: string; orderNo: string; mayBuy: boolean };

/** The keys of the scripts that give units to those who wait for one. */
export const givingKeys = (stockId: string): readonly string[] => [
  keys.sale(stockId),
  keys.buyers(stockId),
  keys.outbox(stockId),
  keys.waitlist(stockId),
  keys.places(stockId),
];

/** Formats the people to whom these scripts may give a unit. */
export const formatDue = (due: readonly Due[]): readonly string[] =>
  due.map(({ userId, orderNo, mayBuy }) => `${userId} ${orderNo} ${mayBuy ? 1 : 0}`);
