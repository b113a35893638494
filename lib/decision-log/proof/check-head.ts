import type { LogHead } from '@/lib/contract/shapes/decision-log';
import { fromBase64url, toBase64url, utf8, webSha256 } from './bytes';
import { headText } from './head-text';

type HeadFault = 'other_key' | 'bad_signature';

/**
 * Checks a head's signature with WebCrypto.
 * @param publicKey SPKI, base64url
 * @returns what is wrong, or null.
 */
export async function checkHead(head: LogHead, publicKey: string): Promise<HeadFault | null> {
  try {
    const spki = fromBase64url(publicKey);
    if (toBase64url(await webSha256(spki)) !== head.keyId) return 'other_key';
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('spki', spki as BufferSource, algorithm, false, ['verify']);
    const [signature, text] = [fromBase64url(head.signature), utf8(headText(head))];
    const how = { name: 'ECDSA', hash: 'SHA-256' };
    const isGood = await crypto.subtle.verify(how, key, signature as BufferSource, text as BufferSource);
    return isGood ? null : 'bad_signature';
  } catch {
    return 'bad_signature';
  }
}
