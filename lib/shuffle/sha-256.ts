/** Computes SHA-256 of the parts, one after the other: 32 bytes. In Node and in browsers, by WebCrypto. */
export async function sha256(parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
}

/** A text's bytes in UTF-8. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
