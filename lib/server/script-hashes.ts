import { createHash } from 'node:crypto';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const POLICY = 'content-security-policy';

/**
 * Adds `script-src` to a page's Content-Security-Policy: our own files and exactly the inline scripts of these bytes, by
 * their hashes. Possible only because the bytes are the same for everybody; injected script would not run.
 * @param headers name, value, name, value …
 */
export function withScriptHashes(headers: readonly string[], body: Buffer): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', code = ''] of body.toString('utf8').matchAll(INLINE_SCRIPT)) {
    if (/type="(?:application|text\/(?!javascript))/.test(attributes)) continue;
    hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  }
  const directive = ["script-src 'self'", ...hashes].join(' ');
  return headers.map((value, at) =>
    at % 2 === 1 && headers[at - 1]?.toLowerCase() === POLICY ? `${value}; ${directive}` : value,
  );
}
