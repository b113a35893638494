import 'server-only';
import { randomBytes } from 'node:crypto';
import { type SealedSecret, sealFor } from '@/lib/purpose-seal';

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

const seal = sealFor('webhooks');

/** Returns the mark of the key that seals now. */
export const presentWebhookMark = seal.presentKeyMark;

/** Encrypts the secret of a webhook, as a row keeps it. */
export const sealWebhookSecret = (webhookId: string, secret: string): SealedSecret =>
  seal.sealSecret(webhookId, secret);

/** Decrypts it; null if no live key sealed it. */
export const openWebhookSecret = (webhookId: string, sealed: SealedSecret): string | null =>
  seal.openSecret(webhookId, sealed);

/** Makes a random secret, as Standard Webhooks writes it. */
export const makeWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
