'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { PageHeading } from '@/components/ui/headings';
import { Problem } from '@/components/ui/problem';
import { AdminGate } from '../kit/admin-gate';
import { TraceForm } from './trace-form';
import { TraceView } from './trace-view';
import { useTraceQuestion } from './use-trace-question';

export function WhyPage() {
  return (
    <AdminGate permission="trace">
      <Why />
    </AdminGate>
  );
}

/** "Why not me?" for those who answer it: a sale, a shopper, and each of their attempts. */
function Why() {
  const t = useTranslations('AdminWhy');
  const common = useTranslations('Common');
  const [question, ask] = useTraceQuestion();
  const { saleId, user } = question;
  const { data, error, isFetching } = useQuery({
    queryKey: ['admin-why', saleId, user],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/why', { params: { saleId }, query: { user }, signal }),
    enabled: saleId !== '' && user !== '',
    retry: (count, problem) => !/NOT_FOUND|VALIDATION/.test(problemCode(problem)) && count < 3,
  });
  return (
    <div className="grid gap-6">
      <PageHeading heading={t('heading')} intro={t('intro')} />
      <TraceForm question={question} onAsk={ask} isAsking={isFetching} />
      <Problem error={error} />
      {isFetching && !data ? <p className="text-muted">{common('loading')}</p> : null}
      {data ? <TraceView trace={data} /> : null}
    </div>
  );
}
