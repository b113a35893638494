/**
 * Returns where the shopper goes to pay, and keeps the language: it adds the language to our own sandbox page's
 * address and to the way back; another provider's address stays as it is.
 *
 * @param localize puts one of our paths into the page's language
 */
export function paymentPath(
  redirectUrl: string,
  origin: string,
  orderNo: string,
  localize: (path: string) => string,
): string {
  const url = new URL(redirectUrl, origin);
  if (url.origin !== origin) return url.href;
  url.searchParams.set('return', localize(`/orders/${orderNo}`));
  return `${localize(url.pathname)}${url.search}`;
}
