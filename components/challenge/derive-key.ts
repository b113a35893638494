import { deriveKey as deriveByWebCrypto } from 'altcha-lib/algorithms/web/pbkdf2';
import { pbkdf2 } from 'fast-sha256';

/**
 * Derives a key as the proof of work asks for it. A page that came over plain http has no Web Crypto; there the same is
 * computed in some ten times the time.
 */
export const deriveKey: typeof deriveByWebCrypto = async (parameters, salt, password) => {
  if (globalThis.crypto?.subtle) return deriveByWebCrypto(parameters, salt, password);
  const { cost, keyLength = 32 } = parameters;
  return { parameters: {}, derivedKey: pbkdf2(password, salt, cost, keyLength) };
};
