/**
 * Where to send the shopper to pay, keeping the language: our own sandbox page gets it into its address and into the
 * way back; another provider's address stays as it is.
 *
 * @param localize puts a path of ours into the page's language
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
