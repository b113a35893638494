/**
 * Returns where the shopper goes to pay: our own sandbox's page in the page's language; another provider's address stays
 * as it is.
 *
 * @param localize puts one of our paths into the page's language
 */
export function paymentPath(redirectUrl: string, origin: string, localize: (path: string) => string): string {
  const url = new URL(redirectUrl, origin);
  return url.origin === origin ? `${localize(url.pathname)}${url.search}` : url.href;
}
