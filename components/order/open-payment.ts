import { request } from '@/components/api/request';
import { getPathname } from '@/i18n/navigation';
import type { Locale } from '@/i18n/routing';
import { paymentPath } from './payment-path';

/**
 * Asks where an unpaid order is paid, and leads the browser there. Asking again is safe.
 * @throws ApiProblem when it can't be paid now
 */
export async function openPayment(orderNo: string, locale: Locale): Promise<void> {
  const { redirectUrl } = await request('POST /api/orders/{orderNo}/pay', {
    params: { orderNo },
    query: { locale },
  });
  const localize = (href: string) => getPathname({ href, locale });
  window.location.assign(paymentPath(redirectUrl, window.location.origin, orderNo, localize));
}
