/** What a shop needs before it goes live, in the order in which one does it. */
export const SETUP_STEPS = [
  'demo',
  'address',
  'proxy',
  'mail',
  'payment',
  'staff',
  'factors',
  'signing',
  'keys',
  'backup',
  'alerts',
] as const;
export type SetupStepId = (typeof SETUP_STEPS)[number];

/** `todo`: don't go live without it. `advice`: better with it. */
export const SETUP_STATES = ['done', 'todo', 'advice'] as const;
