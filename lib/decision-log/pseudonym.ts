import 'server-only';
import { createHash, createHmac, hash, randomBytes } from 'node:crypto';
import type { Opening } from '@/lib/contract/shapes/decision-log';

/** Makes the key of a sale's pseudonyms. It never leaves the shop. */
export const newPseudonymKey = (): string => randomBytes(32).toString('base64url');

/**
 * Makes what opens the pseudonym of a text, a user id or an order number: a nonce, HMAC-SHA256 with the sale's own key.
 * With the nonce anybody can check the pseudonym; without it nobody can link it to the text, nor to another sale.
 */
export const openingOf = (key: string, text: string): Opening => ({
  text,
  nonce: createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url'),
});

/** Computes the pseudonym that an opening opens: SHA-256 of the nonce and the text, so it commits to the text. */
export const pseudonymOf = ({ text, nonce }: Opening): string =>
  createHash('sha256').update(Buffer.from(nonce, 'base64url')).update(text).digest('base64url');

/** SHA-256 for the checks that browsers share. */
export const nodeSha256 = (data: Uint8Array): Buffer => hash('sha256', data, 'buffer');
