const KEY = 'seckill-line-nonce';
const BYTES = 16;

/**
 * Returns the random value that this browser brings to a line's shuffle, in base64url: the same again for the same account
 * and sale, so that the shopper can find it in the list later.
 */
export function ownNonce(saleId: string, userId: string): string {
  const name = `${KEY}:${saleId}:${userId}`;
  const known = read(name);
  if (known && /^[A-Za-z0-9_-]{21}[AQgw]$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const nonce = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  try {
    localStorage.setItem(name, nonce);
  } catch {
    // A browser that keeps nothing joins all the same.
  }
  return nonce;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
