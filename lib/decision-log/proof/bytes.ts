/** Whatever computes SHA-256: WebCrypto in a browser, node:crypto on the command line. */
export type Sha256 = (data: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Writes bytes as base64url without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads base64url. @throws where it is none. */
export function fromBase64url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** SHA-256 by WebCrypto. Browsers have it on https and on this machine. */
export const webSha256: Sha256 = async (data) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data as BufferSource));
