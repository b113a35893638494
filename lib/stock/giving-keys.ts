import { keys } from '@/lib/redis/keys';

/** The keys of the scripts that may make units free: whoever waits for one gets it in the same step. */
export const givingKeys = (stockId: string): readonly string[] => [
  keys.sale(stockId),
  keys.buyers(stockId),
  keys.outbox(stockId),
  keys.waitlist(stockId),
  keys.places(stockId),
];
