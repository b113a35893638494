'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDelivery as Delivery } from '@/lib/contract/shapes/delivery';
import type { OrderView } from '@/lib/contract/shapes/order';
import { OrderAddress } from './order-address';
import { movedAt, TrackLink } from './parcel';

interface OrderDeliveryProps {
  order: OrderView;
  delivery: Delivery;
  onChange: () => void;
}

/** Says how an order reaches the shopper: where its parcel goes and how far it is, or where to pick it up. */
export function OrderDelivery({ order, delivery, onChange }: OrderDeliveryProps) {
  const t = useTranslations('Delivery');
  const { way, place } = delivery;
  return (
    <section aria-labelledby="delivery" className="grid gap-4">
      <h2 id="delivery" className="font-semibold text-xl">
        {t('heading')}
      </h2>
      {way === 'digital' ? <p>{t('digital')}</p> : null}
      {way === 'pickup' ? (
        <div className="grid gap-1">
          <p>{t('pickup')}</p>
          <p dir="auto" className="wrap-anywhere font-medium">
            {place}
          </p>
        </div>
      ) : null}
      {way === 'parcel' ? (
        <>
          <ParcelStep delivery={delivery} isPaid={order.status === 'paid'} />
          <OrderAddress order={order} onChange={onChange} />
        </>
      ) : null}
    </section>
  );
}

/** Shows how far a parcel is, and how to track it. */
function ParcelStep({ delivery, isPaid }: { delivery: Delivery; isPaid: boolean }) {
  const t = useTranslations('Delivery');
  const localDate = useLocalDate();
  const { step, carrier, trackingNumber, trackingUrl } = delivery;
  if (step === null || (step === 'waiting' && !isPaid)) return null;
  const since = movedAt(delivery);
  const facts = [
    [t('carrier'), carrier],
    [t('trackingNumber'), trackingNumber],
  ].filter(([, value]) => value !== null);
  return (
    <>
      <p role="status" className="font-medium">
        {t(`steps.${step}`)}
        {since === null ? null : <span className="text-muted"> · {localDate(since)}</span>}
      </p>
      {facts.length > 0 ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <TrackLink href={trackingUrl} />
    </>
  );
}
