'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { AddressForm } from '@/components/address/address-form';
import { AddressLines } from '@/components/address/address-lines';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';
import type { OrderView } from '@/lib/contract/shapes/order';

/** Shows where an order goes, and asks for it or lets it be changed until the order is packed. */
export function OrderAddress({ order, onChange }: { order: OrderView; onChange: () => void }) {
  const t = useTranslations('Order.delivery');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const [isEdited, setIsEdited] = useState(false);
  const [save, setSave] = useState(true);
  const { orderNo, status, delivery } = order;
  const key = ['order-address', orderNo];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => request('GET /api/orders/{orderNo}/address', { params: { orderNo }, signal }),
  });
  const put = useMutation({
    mutationFn: (body: { address: NonNullable<NonNullable<typeof data>['address']>; save: boolean }) =>
      request('PUT /api/orders/{orderNo}/address', { params: { orderNo }, body }),
    onSuccess: (stand) => {
      client.setQueryData(key, stand);
      setIsEdited(false);
    },
    onSettled: onChange,
  });
  if (!data) return error ? <Problem error={error} /> : <p className="text-muted">{common('loading')}</p>;
  const isOpen = (status === 'pending_payment' || status === 'paid') && delivery?.state === 'waiting';
  if (data.address && !(isOpen && isEdited))
    return (
      <div className="grid gap-3">
        <h3 className="font-medium">{t('to')}</h3>
        <AddressLines address={data.address} />
        {isOpen ? (
          <Button className="justify-self-start print:hidden" onClick={() => setIsEdited(true)}>
            {t('change')}
          </Button>
        ) : null}
      </div>
    );
  if (!isOpen) return null;
  return (
    <section aria-labelledby="address" className="grid gap-4 print:hidden">
      <h2 id="address" className="font-semibold text-xl">
        {t('ask')}
      </h2>
      {data.address ? null : <p className="text-muted">{t('askText')}</p>}
      <AddressForm
        before={data.address ?? data.saved}
        action={put}
        button={t('use')}
        onSend={(address) => put.mutate({ address, save })}
        beside={data.address ? <Button onClick={() => setIsEdited(false)}>{t('keep')}</Button> : null}
      >
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={save}
            onChange={({ target }) => setSave(target.checked)}
          />
          {t('remember')}
        </label>
      </AddressForm>
    </section>
  );
}
