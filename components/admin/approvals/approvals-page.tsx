'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { SelectField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { DeskGate } from '../desk-gate';
import { readTexts, useUrlFilter } from '../use-url-filter';
import { type ApprovalFilter, getApprovals } from './approval-api';
import { ApprovalCard } from './approval-card';

const EVERY_MS = 5_000;

export function ApprovalsPage() {
  return (
    <DeskGate>
      <Approvals />
    </DeskGate>
  );
}

/** What one person has asked for and another one has to allow. */
function Approvals() {
  const t = useTranslations('DeskApprovals');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const client = useQueryClient();
  const [{ status }, change] = useUrlFilter(readTexts({ status: 'pending' }));
  const filter: ApprovalFilter = status === 'all' ? 'all' : 'pending';
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['admin-approvals', filter],
    queryFn: ({ pageParam, signal }) => getApprovals(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: EVERY_MS,
  });
  const approvals = data?.pages.flatMap((page) => page.approvals) ?? [];
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        <p className="text-muted">{t('intro')}</p>
      </div>
      <div className="max-w-xs">
        <SelectField
          label={t('show')}
          value={filter}
          onChange={({ target }) => change({ status: target.value })}
        >
          <option value="pending">{t('filters.pending')}</option>
          <option value="all">{t('filters.all')}</option>
        </SelectField>
      </div>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && approvals.length === 0 ? <p className="text-muted">{t('empty')}</p> : null}
      <ul className="grid gap-4">
        {approvals.map((approval) => (
          <li key={approval.approvalId}>
            <ApprovalCard
              approval={approval}
              onChange={() => void client.invalidateQueries({ queryKey: ['admin-approvals'] })}
            />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button
          className="justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </div>
  );
}
