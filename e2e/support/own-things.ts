/** Addresses of what belongs to who asks. */
export const OWN_THINGS = [
  '/api/visit',
  '/api/auth/session',
  '/api/orders',
  '/api/notifications/unread',
] as const;
