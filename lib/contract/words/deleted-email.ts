/** No mail server has a name that ends like this (RFC 2606). */
const DOMAIN = '@deleted.invalid';

/** Returns the address that a deleted account has: no two have the same. */
export const deletedEmail = (userId: string): string => `${userId}${DOMAIN}`;

/** Tells whether an address is one of a deleted account: none is registered with it, and no mail goes there. */
export const isDeletedEmail = (email: string): boolean => email.endsWith(DOMAIN);
