import { openingOf, pseudonymOf as pseudonymFor } from '@/lib/ids/pseudonym';

/**
 * Returns the name by which somebody stands in a sale's published list: the same as in the sale's decision log, so that
 * whoever has a receipt finds the own entry. Nobody without the key can tell who it is, or find the same person in two sales.
 * @param key of the line, which is also that of the sale's log; 32 bytes
 */
export const pseudonymOf = (key: Uint8Array, userId: string): string =>
  pseudonymFor(openingOf(Buffer.from(key).toString('base64url'), userId));
