import { createHash, createHmac } from 'node:crypto';
import type { Opening } from '@/lib/contract/shapes/decision-log';

/**
 * Makes what opens the pseudonym of a text, a user id or an order number: a nonce, HMAC-SHA256 with the sale's own key.
 * Whoever knows the nonce can check the pseudonym; nobody else can link it to the text, nor to another sale.
 * @param key of the sale, base64url
 */
export const openingOf = (key: string, text: string): Opening => ({
  text,
  nonce: createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url'),
});

/** Computes the pseudonym that an opening opens: SHA-256 of the nonce and the text, so it commits to the text. */
export const pseudonymOf = ({ text, nonce }: Opening): string =>
  createHash('sha256').update(Buffer.from(nonce, 'base64url')).update(text).digest('base64url');
