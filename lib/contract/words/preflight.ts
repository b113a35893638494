/** The checks before a sale is published. */
export const CHECK_IDS = [
  'postgres',
  'redis',
  'stock',
  'worker',
  'executor',
  'clock',
  'release',
  'page',
  'window',
  'payment',
  'reservation',
  'limits',
  'mail',
  'provider',
] as const;
export type CheckId = (typeof CHECK_IDS)[number];
