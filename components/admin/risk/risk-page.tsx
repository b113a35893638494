'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { PageHeading } from '@/components/ui/headings';
import { Problem } from '@/components/ui/problem';
import { AdminGate } from '../kit/admin-gate';
import { HitTable } from './hit-table';
import { RuleList } from './rule-list';

export function RiskPage() {
  const t = useTranslations('AdminRisk');
  return (
    <AdminGate permission="seeShop" refusal={t('forbidden')}>
      <Risk />
    </AdminGate>
  );
}

/** What is looked for, and whom it has found. */
function Risk() {
  const t = useTranslations('AdminRisk');
  const common = useTranslations('Common');
  const { data, error, refetch } = useQuery({
    queryKey: ['risk-rules'],
    queryFn: ({ signal }) => request('GET /api/admin/risk/rules', { signal }),
  });
  return (
    <div className="grid gap-10">
      <PageHeading heading={t('heading')} intro={t('intro')} />
      <Problem error={error} />
      {data ? (
        <>
          <RuleList rules={data.rules} refresh={async () => (await refetch()).data?.rules ?? []} />
          <HitTable rules={data.rules} />
        </>
      ) : error ? null : (
        <p className="text-muted">{common('loading')}</p>
      )}
    </div>
  );
}
