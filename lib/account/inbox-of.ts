const GOOGLES = new Set(['gmail.com', 'googlemail.com']);

/**
 * The inbox that mail to an address reaches, as far as its spelling tells: small letters, without what follows a plus, and
 * without the dots that Google leaves out. As `inbox_of` in the database has it; a test compares the two.
 */
export function inboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [box = ''] = email.slice(0, at).toLowerCase().split('+', 1);
  const host = email.slice(at + 1).toLowerCase();
  return GOOGLES.has(host) ? `${box.replaceAll('.', '')}@gmail.com` : `${box}@${host}`;
}
