'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { AddressForm } from '@/components/address/address-form';
import { AddressLines } from '@/components/address/address-lines';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { Address } from '@/lib/contract/shapes/address';

const KEY = ['saved-address'];

/** Shows the address that the account keeps for the next order, and lets its owner add, change and remove it. */
export function SavedAddress() {
  const t = useTranslations('Account.address');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const [isEdited, setIsEdited] = useState(false);
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /api/account/address', { signal }),
  });
  const change = useMutation({
    mutationFn: (body: Address | null) =>
      body ? request('PUT /api/account/address', { body }) : request('DELETE /api/account/address'),
    onSuccess: (now) => {
      client.setQueryData(KEY, now);
      setIsEdited(false);
    },
  });
  return (
    <section aria-labelledby="saved-address" className="grid gap-4">
      <h2 id="saved-address" className="font-semibold text-xl">
        {t('heading')}
      </h2>
      <p className="text-muted">{t('text')}</p>
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <div role="status" className="-mt-4 not-empty:mt-0">
        {change.isSuccess && !isEdited ? (
          <Notice tone="success">{t(data?.address ? 'saved' : 'removed')}</Notice>
        ) : null}
      </div>
      {data ? null : error ? <Problem error={error} /> : <p className="text-muted">{common('loading')}</p>}
      {data && isEdited ? (
        <AddressForm
          before={data.address}
          action={change}
          button={t('save')}
          onSend={change.mutate}
          beside={<Button onClick={() => setIsEdited(false)}>{t('keep')}</Button>}
        />
      ) : null}
      {data && !isEdited ? (
        <>
          {data.address ? <AddressLines address={data.address} /> : <p>{t('none')}</p>}
          <Problem error={change.error} />
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setIsEdited(true)}>{t(data.address ? 'change' : 'add')}</Button>
            {data.address ? (
              <Button isBusy={change.isPending} onClick={() => change.mutate(null)}>
                {t('remove')}
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
    </section>
  );
}
