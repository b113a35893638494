'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';
import { useRouter } from '@/i18n/navigation';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayInShop } from '../kit/use-shops';
import { LatelyTaken } from '../money/lately-taken';
import { SaleForm } from './sale-form';
import { SaleTable } from './sale-table';
import { SyncFailures } from './sync-failures';

/** Shows the first page of the admin area: every sale, and a form for the next one. */
function Sales() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const router = useRouter();
  const mayCreate = useMayInShop('settings');
  const copiedId = useSearchParams().get('copy');
  const [isCreating, setIsCreating] = useState(copiedId !== null);
  const end = () => {
    setIsCreating(false);
    router.replace('/admin/sales');
  };
  return (
    <PageFrame
      words="Admin"
      beside={
        mayCreate ? (
          <Button
            tone={isCreating ? 'quiet' : 'primary'}
            onClick={() => (isCreating ? end() : setIsCreating(true))}
          >
            {isCreating ? common('cancel') : t('newSale')}
          </Button>
        ) : null
      }
    >
      {isCreating ? <NewSale copiedId={copiedId} /> : null}
      <SyncFailures />
      <LatelyTaken />
      <SaleTable />
    </PageFrame>
  );
}

/** The form of a new sale; of a copy it shows what the other sale had. */
function NewSale({ copiedId }: { copiedId: string | null }) {
  const common = useTranslations('Common');
  const router = useRouter();
  const { data: copied, error } = useQuery({
    queryKey: ['admin-sale', copiedId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}', { params: { saleId: copiedId ?? '' }, signal }),
    enabled: copiedId !== null,
    // The form must not change under the hands of who fills it in.
    staleTime: Infinity,
  });
  if (error) return <Problem error={error} />;
  if (copiedId !== null && !copied) return <p className="text-muted">{common('loading')}</p>;
  return (
    <SaleForm
      draft={null}
      copied={copied ?? null}
      onSaved={(saleId) => router.push(`/admin/sales/${saleId}`)}
    />
  );
}

export const SalesPage = adminPage(Sales);
