/**
 * Returns where the shopper goes to pay: our own sandbox's path in the page's language. A whole address stays as it is: it is
 * another provider's, or that of the order's page, which has its language.
 *
 * @param localize puts one of our paths into the page's language
 */
export function paymentPath(redirectUrl: string, localize: (path: string) => string): string {
  if (!redirectUrl.startsWith('/')) return redirectUrl;
  const [path = '', search] = redirectUrl.split('?', 2);
  return search === undefined ? localize(path) : `${localize(path)}?${search}`;
}
