'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { AddressForm } from '@/components/address/address-form';
import { AddressLines } from '@/components/address/address-lines';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { Address, SavedAddress } from '@/lib/contract/shapes/address';
import { MAX_SAVED_ADDRESSES } from '@/lib/contract/words/delivery';
import { AccountRoom } from './account-room';

const KEY = ['addresses'];

/** The room for the addresses that the account keeps for its next orders. */
export function AddressesRoom() {
  return (
    <AccountRoom room="addresses">
      {() => (
        <Card className="p-5 sm:p-6">
          <Addresses />
        </Card>
      )}
    </AccountRoom>
  );
}

/** The address that the visitor is about to change; `new` is one more. */
type Edited = { addressId: string; requestId: string };

function Addresses() {
  const t = useTranslations('Account.addresses');
  const common = useTranslations('Common');
  const [edited, setEdited] = useState<Edited>();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /api/account/addresses', { signal }),
  });
  const { save, remove, problem, done } = useChanges(edited, () => setEdited(undefined));
  const edit = (addressId: string) => setEdited({ addressId, requestId: newRequestId() });
  const form = (before: Address | null) => (
    <AddressForm
      before={before}
      action={save}
      button={t('save')}
      onSend={save.mutate}
      beside={<Button onClick={() => setEdited(undefined)}>{t('keep')}</Button>}
    />
  );
  if (!data) return error ? <Problem error={error} /> : <p className="text-muted">{common('loading')}</p>;
  const { addresses } = data;
  return (
    <div className="grid gap-5">
      <p className="text-muted">{t('text')}</p>
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <div role="status" className="empty:absolute">
        {done && !edited ? <Notice tone="success">{t(done)}</Notice> : null}
      </div>
      {addresses.length === 0 && !edited ? <p>{t('none')}</p> : null}
      {addresses.length > 0 ? (
        <ul className="grid gap-6">
          {addresses.map((each) => (
            <li key={each.addressId} className="grid gap-3">
              {edited?.addressId === each.addressId ? (
                form(each.address)
              ) : (
                <Saved saved={each} isBusy={remove.isPending} onChange={edit} onRemove={remove.mutate} />
              )}
            </li>
          ))}
        </ul>
      ) : null}
      <Problem error={problem} />
      {edited?.addressId === 'new' ? form(null) : null}
      {edited ? null : addresses.length < MAX_SAVED_ADDRESSES ? (
        <Button className="justify-self-start" onClick={() => edit('new')}>
          {t('add')}
        </Button>
      ) : (
        <p className="text-muted">{t('full', { count: MAX_SAVED_ADDRESSES })}</p>
      )}
    </div>
  );
}

/** The requests that change the list; each answers with the list as it is then. */
function useChanges(edited: Edited | undefined, onSaved: () => void) {
  const client = useQueryClient();
  const keep = (list: { addresses: SavedAddress[] }) => client.setQueryData(KEY, list);
  const save = useMutation({
    mutationFn: (address: Address) =>
      !edited || edited.addressId === 'new'
        ? request('POST /api/account/addresses', { body: { address, requestId: edited?.requestId } })
        : request('PUT /api/account/addresses/{addressId}', {
            params: { addressId: edited.addressId },
            body: { address },
          }),
    onSuccess: (list) => {
      keep(list);
      onSaved();
    },
  });
  const remove = useMutation({
    mutationFn: (addressId: string) =>
      request('DELETE /api/account/addresses/{addressId}', { params: { addressId } }),
    onSuccess: keep,
    onError: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const last = save.submittedAt > remove.submittedAt ? save : remove;
  const done = last.isSuccess ? (last === save ? ('saved' as const) : ('removed' as const)) : null;
  return { save, remove, problem: remove.error, done };
}

interface SavedProps {
  saved: SavedAddress;
  isBusy: boolean;
  onChange: (addressId: string) => void;
  onRemove: (addressId: string) => void;
}

function Saved({ saved: { addressId, address }, isBusy, onChange, onRemove }: SavedProps) {
  const t = useTranslations('Account.addresses');
  const which = { address: `${address.name}, ${address.lines[0]}` };
  return (
    <>
      <AddressLines address={address} />
      <div className="flex flex-wrap gap-3">
        <Button aria-label={t('changeWhich', which)} onClick={() => onChange(addressId)}>
          {t('change')}
        </Button>
        <Button aria-label={t('removeWhich', which)} isBusy={isBusy} onClick={() => onRemove(addressId)}>
          {t('remove')}
        </Button>
      </div>
    </>
  );
}
