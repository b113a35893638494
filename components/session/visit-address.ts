/**
 * Returns the address that tells a page of ours about its visitor. It stands alone, without anything from outside: the
 * page's HTML holds a copy of it as text (`EarlyVisit`).
 * @param pathname of the page, in any language
 */
export function visitAddress(pathname: string): string {
  const [, slug] = /\/sales\/([\w-]+)$/.exec(pathname) ?? [];
  return slug ? `/api/visit?slug=${slug}` : '/api/visit';
}
