import 'server-only';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { env } from '@/lib/env';

/** A key pair as browsers and push services want it, in base64url. */
export type PushKey = { publicKey: string; privateKey: string };

let made: { of: string; key: PushKey } | undefined;

/** Returns the key that proves push messages to be of this shop (`PUSH_KEY`), or null where none is set. */
export function pushKey(): PushKey | null {
  const { pushKey: pkcs8 } = env();
  if (!pkcs8) return null;
  if (made?.of !== pkcs8) made = { of: pkcs8, key: toPushKey(pkcs8) };
  return made.key;
}

/** @param pkcs8 an ECDSA P-256 key, base64url of its DER. Source of the forms: RFC 8292, 3.2. */
export function toPushKey(pkcs8: string): PushKey {
  const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64url'), format: 'der', type: 'pkcs8' });
  const { d = '' } = key.export({ format: 'jwk' });
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateKey: d };
}
