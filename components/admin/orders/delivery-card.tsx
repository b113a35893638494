'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { AddressLines } from '@/components/address/address-lines';
import { request } from '@/components/api/request';
import { movedAt, TrackLink } from '@/components/order/parcel';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDelivery } from '@/lib/contract/shapes/delivery';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { ActionButton } from '../kit/action-button';
import { ReasonForm } from '../kit/reason-form';
import { useAction } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import { ShipForm } from './ship-form';

interface DeliveryCardProps {
  order: OrderDetail;
  delivery: OrderDelivery;
  refresh: () => Promise<void>;
}

/** Shows how an order reaches its buyer, where its parcel goes and how far it is, and offers the next step. */
export function DeliveryCard({ order, delivery, refresh }: DeliveryCardProps) {
  const t = useTranslations('AdminOrders.delivery');
  const { way, place } = delivery;
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('label')}</h2>
      {way === 'digital' ? <p>{t('digital')}</p> : null}
      {way === 'pickup' ? <p className="wrap-anywhere">{t('pickup', { place: place ?? '' })}</p> : null}
      {way === 'parcel' ? <ParcelCard order={order} delivery={delivery} refresh={refresh} /> : null}
    </Card>
  );
}

function ParcelCard({ order, delivery, refresh }: DeliveryCardProps) {
  const t = useTranslations('AdminOrders.delivery');
  const words = useTranslations('Delivery');
  const localDate = useLocalDate();
  const mayWork = useMayInShop('work');
  const { orderNo, status } = order;
  const { step, hasAddress } = delivery;
  const since = movedAt(delivery);
  const isToSend = step === 'waiting' || step === 'packed';
  return (
    <>
      <p className="font-medium">
        {words(`steps.${step === 'waiting' && !hasAddress ? 'missing' : (step ?? 'waiting')}`)}
        {since === null ? null : <span className="text-muted"> · {localDate(since)}</span>}
      </p>
      <Tracking delivery={delivery} />
      {step === 'packed' && status !== 'paid' ? (
        <Notice tone="warning">{t('notPaid', { status })}</Notice>
      ) : null}
      {hasAddress ? <Address orderNo={orderNo} /> : null}
      {!hasAddress && step === 'waiting' ? <p className="text-muted">{t('noAddress')}</p> : null}
      {mayWork && (status === 'paid' || !isToSend) ? (
        <NextStep orderNo={orderNo} delivery={delivery} refresh={refresh} />
      ) : null}
    </>
  );
}

function Tracking({ delivery: { carrier, trackingNumber, trackingUrl } }: { delivery: OrderDelivery }) {
  return (
    <>
      {carrier || trackingNumber ? (
        <p className="wrap-anywhere">{[carrier, trackingNumber].filter(Boolean).join(' · ')}</p>
      ) : null}
      <TrackLink href={trackingUrl} />
    </>
  );
}

/** Shows where the parcel goes once it is asked for: each look is an entry of the audit log. */
function Address({ orderNo }: { orderNo: string }) {
  const t = useTranslations('AdminOrders.delivery');
  const look = useMutation({
    mutationFn: () => request('GET /api/admin/orders/{orderNo}/address', { params: { orderNo } }),
  });
  if (look.data?.address) return <AddressLines address={look.data.address} />;
  return (
    <div className="grid gap-1">
      <Button className="justify-self-start" isBusy={look.isPending} onClick={() => look.mutate()}>
        {t('show')}
      </Button>
      <p className="text-muted text-sm">{t('showHint')}</p>
      <Problem error={look.error} />
    </div>
  );
}

interface NextStepProps {
  orderNo: string;
  delivery: OrderDelivery;
  refresh: () => Promise<void>;
}

function NextStep({ orderNo, delivery: { step, hasAddress }, refresh }: NextStepProps) {
  const t = useTranslations('AdminOrders.delivery');
  const done = useTranslations('AdminDone.delivery');
  const move = useAction('POST /api/admin/orders/{orderNo}/delivery', {
    says: (_, { body }) => ({ text: done(body.to) }),
    refresh,
  });
  const params = { orderNo };
  return (
    <>
      {step === 'waiting' && hasAddress ? (
        <ActionButton
          action={move}
          tone="primary"
          className="justify-self-start"
          onPress={() => move.mutate({ params, body: { to: 'packed' } })}
        >
          {t('pack')}
        </ActionButton>
      ) : null}
      {step === 'packed' ? (
        <ShipForm
          action={move}
          onSend={(tracking) => move.mutate({ params, body: { to: 'shipped', ...tracking } })}
        />
      ) : null}
      {step === 'shipped' ? (
        <ActionButton
          action={move}
          tone="primary"
          className="justify-self-start"
          onPress={() => move.mutate({ params, body: { to: 'delivered' } })}
        >
          {t('deliver')}
        </ActionButton>
      ) : null}
      {step === 'shipped' || step === 'delivered' ? (
        <>
          <ReasonForm
            action={move}
            button={t('return')}
            onSend={({ reason }) => move.mutate({ params, body: { to: 'returned', reason } })}
          />
          <p className="text-muted text-sm">{t('returnHint')}</p>
        </>
      ) : (
        <Problem error={move.error} />
      )}
    </>
  );
}
