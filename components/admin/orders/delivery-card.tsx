'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { AddressLines } from '@/components/address/address-lines';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import {
  MAX_CARRIER_LENGTH,
  MAX_TRACKING_NUMBER_LENGTH,
  MAX_TRACKING_URL_LENGTH,
} from '@/lib/contract/words/delivery';
import { ActionButton } from '../kit/action-button';
import { together, useAction } from '../kit/use-action';
import { useFields } from '../kit/use-fields';

interface DeliveryCardProps {
  order: OrderDetail;
  mayChange: boolean;
  refresh: () => Promise<void>;
}

/** Shows where an order goes and how far it is, and offers the next step. */
export function DeliveryCard({ order, mayChange, refresh }: DeliveryCardProps) {
  const t = useTranslations('AdminOrders.delivery');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const { orderNo, delivery, address, status } = order;
  const pack = useAction('POST /api/admin/orders/{orderNo}/pack', {
    says: () => ({ text: done('orderPacked') }),
    refresh,
  });
  const deliver = useAction('POST /api/admin/orders/{orderNo}/deliver', {
    says: () => ({ text: done('orderDelivered') }),
    refresh,
  });
  if (!delivery) return null;
  const { state, hasAddress, carrier, trackingNumber } = delivery;
  const since = delivery.deliveredAt ?? delivery.shippedAt ?? delivery.packedAt;
  const isPaid = status === 'paid';
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('heading')}</h2>
      {isPaid || state !== 'waiting' ? (
        <p className="font-medium">
          {t(`states.${state}`)}
          {since === null ? null : <span className="text-muted"> · {localDate(since)}</span>}
        </p>
      ) : null}
      {trackingNumber ? (
        <p className="break-words">
          {carrier} · {trackingNumber}
        </p>
      ) : null}
      {address ? (
        <AddressLines address={address} />
      ) : (
        <p className="text-muted">{t(hasAddress ? 'hiddenAddress' : 'noAddress')}</p>
      )}
      {mayChange && isPaid && state === 'waiting' && hasAddress ? (
        <ActionButton action={pack} tone="primary" onPress={() => pack.mutate({ params: { orderNo } })}>
          {t('pack')}
        </ActionButton>
      ) : null}
      {mayChange && isPaid && state === 'packed' ? <ShipForm orderNo={orderNo} refresh={refresh} /> : null}
      {mayChange && state === 'shipped' ? (
        <ActionButton action={deliver} onPress={() => deliver.mutate({ params: { orderNo } })}>
          {t('deliver')}
        </ActionButton>
      ) : null}
      <Problem error={together(pack, deliver).error} />
    </Card>
  );
}

function ShipForm({ orderNo, refresh }: { orderNo: string; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders.delivery');
  const address = useTranslations('Address');
  const done = useTranslations('AdminDone');
  const { values, text } = useFields({ carrier: '', trackingNumber: '', trackingUrl: '' });
  const [isChecked, setIsChecked] = useState(false);
  const ship = useAction('POST /api/admin/orders/{orderNo}/ship', {
    says: () => ({ text: done('orderShipped') }),
    refresh,
  });
  const carrier = values.carrier.trim();
  const trackingNumber = values.trackingNumber.trim();
  const trackingUrl = values.trackingUrl.trim();
  const isLink = trackingUrl === '' || (/^https:\/\/\S+$/.test(trackingUrl) && URL.canParse(trackingUrl));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (carrier && trackingNumber && isLink)
      ship.mutate({
        params: { orderNo },
        body: { carrier, trackingNumber, trackingUrl: trackingUrl || null },
      });
  };
  const missing = (value: string) => (isChecked && !value ? address('needed') : null);
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <TextField
        label={t('carrier')}
        maxLength={MAX_CARRIER_LENGTH}
        error={missing(carrier)}
        {...text('carrier')}
      />
      <TextField
        label={t('trackingNumber')}
        maxLength={MAX_TRACKING_NUMBER_LENGTH}
        error={missing(trackingNumber)}
        {...text('trackingNumber')}
      />
      <TextField
        label={t('trackingUrl')}
        hint={t('trackingUrlHint')}
        type="url"
        maxLength={MAX_TRACKING_URL_LENGTH}
        error={isChecked && !isLink ? t('trackingUrlHint') : null}
        {...text('trackingUrl')}
      />
      <Problem error={ship.error} />
      <Button type="submit" tone="primary" className="justify-self-start" isBusy={ship.isPending}>
        {t('ship')}
      </Button>
    </form>
  );
}
