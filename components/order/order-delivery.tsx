'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { DeliveryView } from '@/lib/contract/shapes/delivery';
import type { OrderView } from '@/lib/contract/shapes/order';
import { OrderAddress } from './order-address';

interface OrderDeliveryProps {
  order: OrderView;
  delivery: DeliveryView;
  onChange: () => void;
}

/** Shows how far the parcel of an order is, how to follow it, and where it goes. */
export function OrderDelivery({ order, delivery, onChange }: OrderDeliveryProps) {
  const t = useTranslations('Order.delivery');
  const localDate = useLocalDate();
  const { state, carrier, trackingNumber, trackingUrl } = delivery;
  const since = delivery.deliveredAt ?? delivery.shippedAt ?? delivery.packedAt;
  const isSent = order.status === 'paid' || state !== 'waiting';
  return (
    <section aria-labelledby="delivery" className="grid gap-4">
      <h2 id="delivery" className="font-semibold text-xl">
        {t('heading')}
      </h2>
      {isSent ? (
        <p role="status" className="font-medium">
          {t(`states.${state}`)}
          {since === null ? null : <span className="text-muted"> · {localDate(since)}</span>}
        </p>
      ) : null}
      {trackingNumber ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
          <dt className="text-muted">{t('carrier')}</dt>
          <dd className="break-words">{carrier}</dd>
          <dt className="text-muted">{t('trackingNumber')}</dt>
          <dd className="break-all">{trackingNumber}</dd>
        </dl>
      ) : null}
      {trackingUrl?.startsWith('https://') ? (
        <a
          href={trackingUrl}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
        >
          {t('track')}
        </a>
      ) : null}
      <OrderAddress order={order} onChange={onChange} />
    </section>
  );
}
