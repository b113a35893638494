const GOOGLES = new Set(['gmail.com', 'googlemail.com']);

/**
 * Returns the inbox that mail to an address reaches, as far as its spelling tells: in small letters, without the part
 * after a plus, and without the dots that Google ignores. The database's `inbox_of` does the same; a test compares
 * the two.
 */
export function inboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [box = ''] = email.slice(0, at).toLowerCase().split('+', 1);
  const host = email.slice(at + 1).toLowerCase();
  return GOOGLES.has(host) ? `${box.replaceAll('.', '')}@gmail.com` : `${box}@${host}`;
}
