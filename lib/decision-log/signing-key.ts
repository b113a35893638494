import 'server-only';
import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';
import { env } from '@/lib/env';

export type SigningKey = {
  id: string;
  /** SPKI, base64url. */
  publicKey: string;
  /** Returns r and s, base64url, as WebCrypto verifies them. */
  sign(text: string): string;
};

let made: { of: string; key: SigningKey } | undefined;

/** Returns the key that signs the heads of logs (`LOG_SIGNING_KEY`), or null where none is set. */
export function signingKey(): SigningKey | null {
  const { logSigningKey } = env();
  if (!logSigningKey) return null;
  if (made?.of !== logSigningKey) made = { of: logSigningKey, key: toSigningKey(logSigningKey) };
  return made.key;
}

/** @param pkcs8 an ECDSA P-256 key, base64url of its DER */
export function toSigningKey(pkcs8: string): SigningKey {
  const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64url'), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    id: hash('sha256', spki, 'buffer').toString('base64url'),
    publicKey: spki.toString('base64url'),
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}
