'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { TRACKING_LENGTHS } from '@/lib/contract/words/delivery';
import { useFields } from '../kit/use-fields';

interface Tracking {
  carrier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
}

interface ShipFormProps {
  action: { isPending: boolean };
  onSend: (tracking: Tracking) => void;
}

/** Asks what the carrier calls a parcel. Each field may stay empty: letters have no number. */
export function ShipForm({ action, onSend }: ShipFormProps) {
  const t = useTranslations('AdminOrders.delivery');
  const words = useTranslations('Delivery');
  const { values, text } = useFields({ carrier: '', trackingNumber: '', trackingUrl: '' });
  const [isChecked, setIsChecked] = useState(false);
  const [carrier, trackingNumber, trackingUrl] = [
    values.carrier.trim() || null,
    values.trackingNumber.trim() || null,
    values.trackingUrl.trim() || null,
  ];
  const isLink =
    trackingUrl === null || (/^https?:\/\/[^\s/]\S*$/.test(trackingUrl) && URL.canParse(trackingUrl));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isLink) onSend({ carrier, trackingNumber, trackingUrl });
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <TextField label={words('carrier')} maxLength={TRACKING_LENGTHS.carrier} {...text('carrier')} />
      <TextField
        label={words('trackingNumber')}
        maxLength={TRACKING_LENGTHS.trackingNumber}
        {...text('trackingNumber')}
      />
      <TextField
        label={t('trackingUrl')}
        hint={t('trackingUrlHint')}
        type="url"
        maxLength={TRACKING_LENGTHS.trackingUrl}
        error={isChecked && !isLink ? t('trackingUrlHint') : null}
        {...text('trackingUrl')}
      />
      <Button type="submit" tone="primary" className="justify-self-start" isBusy={action.isPending}>
        {t('ship')}
      </Button>
    </form>
  );
}
