import 'server-only';
import { hash, randomBytes } from 'node:crypto';

/** Makes the key of a sale's pseudonyms. It never leaves the shop. */
export const newPseudonymKey = (): string => randomBytes(32).toString('base64url');

/** SHA-256 for the checks that browsers share. */
export const nodeSha256 = (data: Uint8Array): Buffer => hash('sha256', data, 'buffer');
