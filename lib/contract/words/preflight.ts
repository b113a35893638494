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

/** The checks before a shop goes live, in the order in which one sets it up. */
export const SETUP_CHECK_IDS = [
  'demo',
  'address',
  'proxy',
  'payment',
  'sign_in_server',
  'mail',
  'alerts',
  'pictures',
  'backup',
  'secrets',
  'signing_key',
  'approvers',
  'second_factor',
  'redis',
  'worker',
  'executor',
  'clock',
  'page',
] as const;
export type SetupCheckId = (typeof SETUP_CHECK_IDS)[number];

/** Things that an admin can try out before the shop goes live. */
export const SETUP_TRIALS = ['mail', 'alert_webhook'] as const;
export type SetupTrial = (typeof SETUP_TRIALS)[number];
