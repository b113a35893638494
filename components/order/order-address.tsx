'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { AddressForm } from '@/components/address/address-form';
import { AddressLines } from '@/components/address/address-lines';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { SelectField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { Address, SavedAddress } from '@/lib/contract/shapes/address';
import type { OrderView } from '@/lib/contract/shapes/order';
import { MAX_SAVED_ADDRESSES } from '@/lib/contract/words/delivery';

interface OrderAddressProps {
  order: OrderView;
  onChange: () => void;
}

/** Shows where an order goes; asks for it, or lets it be changed until the order is packed. */
export function OrderAddress({ order, onChange }: OrderAddressProps) {
  const t = useTranslations('Delivery');
  const common = useTranslations('Common');
  const [isEdited, setIsEdited] = useState(false);
  const { orderNo, status, delivery } = order;
  const { data, error } = useQuery({
    queryKey: ['order-address', orderNo],
    queryFn: ({ signal }) => request('GET /api/orders/{orderNo}/address', { params: { orderNo }, signal }),
  });
  if (!data) return error ? <Problem error={error} /> : <p className="text-muted">{common('loading')}</p>;
  const isOpen = (status === 'pending_payment' || status === 'paid') && delivery?.step === 'waiting';
  const { address, saved } = data;
  if (isOpen && (isEdited || !address))
    return (
      <div className="grid gap-4 print:hidden">
        {address ? null : (
          <div className="grid gap-1">
            <h2 className="font-semibold text-lg">{t('ask')}</h2>
            <p className="text-muted">{t(status === 'paid' ? 'askPaid' : 'askText')}</p>
          </div>
        )}
        <AskAddress
          orderNo={orderNo}
          address={address}
          saved={saved}
          onEnd={() => {
            setIsEdited(false);
            onChange();
          }}
        />
      </div>
    );
  if (!address) return <p className="text-muted">{t('forgotten')}</p>;
  return (
    <div className="grid gap-3">
      <p>{t('parcelTo')}</p>
      <AddressLines address={address} />
      {isOpen ? (
        <Button className="justify-self-start print:hidden" onClick={() => setIsEdited(true)}>
          {t('change')}
        </Button>
      ) : null}
    </div>
  );
}

interface AskAddressProps {
  orderNo: string;
  address: Address | null;
  saved: SavedAddress[];
  onEnd: () => void;
}

function AskAddress({ orderNo, address, saved, onEnd }: AskAddressProps) {
  const t = useTranslations('Delivery');
  const words = useTranslations('Address');
  const client = useQueryClient();
  const [chosen, setChosen] = useState(saved[0]?.addressId ?? '');
  const [save, setSave] = useState(address === null);
  const put = useMutation({
    mutationFn: (body: { address: Address; save: boolean }) =>
      request('PUT /api/orders/{orderNo}/address', { params: { orderNo }, body }),
    onSuccess: (stand) => {
      client.setQueryData(['order-address', orderNo], stand);
      onEnd();
    },
  });
  const picked = saved.find(({ addressId }) => addressId === chosen)?.address ?? null;
  return (
    <>
      {!address && saved.length > 1 ? (
        <SelectField label={words('saved')} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          {saved.map(({ addressId, address: { name, lines, city } }) => (
            <option key={addressId} value={addressId}>
              {[name, lines[0], city].filter(Boolean).join(', ')}
            </option>
          ))}
          <option value="">{words('other')}</option>
        </SelectField>
      ) : null}
      <AddressForm
        key={chosen}
        before={address ?? picked}
        action={put}
        button={t('use')}
        onSend={(given) => put.mutate({ address: given, save: save && saved.length < MAX_SAVED_ADDRESSES })}
        beside={address ? <Button onClick={onEnd}>{t('keep')}</Button> : null}
      >
        {saved.length < MAX_SAVED_ADDRESSES ? (
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={save}
              onChange={({ target }) => setSave(target.checked)}
            />
            {t('remember')}
          </label>
        ) : null}
      </AddressForm>
    </>
  );
}
