'use client';

import { useLocale } from 'next-intl';
import { type ComponentProps, type MouseEvent, useState } from 'react';
import { openPayment } from '@/components/order/open-payment';
import { Link, useRouter } from '@/i18n/navigation';

/**
 * Leads to the payment of an order in one press. It is a link to the order, which opens where the payment can't: in
 * another tab, before the page's scripts run, or when the provider is away, as the order's page then says.
 */
export function PayLink({
  orderNo,
  ...rest
}: { orderNo: string } & Omit<ComponentProps<typeof Link>, 'href'>) {
  const locale = useLocale();
  const router = useRouter();
  const [isOpening, setOpening] = useState(false);
  const href = `/orders/${orderNo}`;
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (isOpening) return;
    setOpening(true);
    openPayment(orderNo, locale)
      .catch(() => router.push(href))
      // Whoever comes back by the browser's button finds the page as it was left.
      .finally(() => setOpening(false));
  };
  return <Link href={href} prefetch={false} data-busy={isOpening || undefined} onClick={onClick} {...rest} />;
}
