'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Problem } from '@/components/ui/problem';
import { adminPage, PageFrame } from '../kit/admin-page';
import { TraceForm } from './trace-form';
import { TraceView } from './trace-view';
import { useTraceQuestion } from './use-trace-question';

/** Answers "Why not me?" for support: a sale, a shopper, and each of the shopper's attempts. */
function Why() {
  const common = useTranslations('Common');
  const [question, ask] = useTraceQuestion();
  const { saleId, user } = question;
  const { data, error, isFetching } = useQuery({
    queryKey: ['admin-why', saleId, user],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/why', { params: { saleId }, query: { user }, signal }),
    enabled: saleId !== '' && user !== '',
    // Each look is an entry in the audit log: only a press looks again.
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, problem) => !/NOT_FOUND|VALIDATION/.test(problemCode(problem)) && count < 3,
  });
  return (
    <PageFrame words="AdminWhy" className="gap-6">
      <TraceForm question={question} onAsk={ask} isAsking={isFetching} />
      <Problem error={error} />
      {isFetching && !data ? <p className="text-muted">{common('loading')}</p> : null}
      {data ? <TraceView trace={data} /> : null}
    </PageFrame>
  );
}

export const WhyPage = adminPage(Why, 'trace');
