/** The longest address that a sale's heads may go to. */
export const MAX_ADDRESS_CHARS = 2_000;

/**
 * Tells whether a text looks like an address that takes heads: http or https, without user, password and fragment. The
 * server decides whether it asks there: plain http and private addresses need `SALE_WEBHOOK_PRIVATE`.
 */
export function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && !username && !password && !hash;
}
