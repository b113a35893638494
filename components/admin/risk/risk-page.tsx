'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Problem } from '@/components/ui/problem';
import { adminPage, PageFrame } from '../kit/admin-page';
import { HitTable } from './hit-table';
import { RuleList } from './rule-list';

/** Shows the risk rules, and whom they have hit. */
function Risk() {
  const common = useTranslations('Common');
  const { data, error, refetch } = useQuery({
    queryKey: ['risk-rules'],
    queryFn: ({ signal }) => request('GET /api/admin/risk/rules', { signal }),
  });
  return (
    <PageFrame words="AdminRisk" className="gap-10">
      <Problem error={error} />
      {data ? (
        <>
          <RuleList rules={data.rules} refresh={async () => (await refetch()).data?.rules ?? []} />
          <HitTable rules={data.rules} />
        </>
      ) : error ? null : (
        <p className="text-muted">{common('loading')}</p>
      )}
    </PageFrame>
  );
}

export const RiskPage = adminPage(Risk, 'seeShop', 'AdminRisk');
