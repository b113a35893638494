'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { SelectField } from '@/components/ui/field';
import type { ApprovalFilter } from '@/lib/contract/shapes/approval';
import { DeskGate } from '../desk-gate';
import { Paged } from '../paged';
import { readTexts, useUrlFilter } from '../use-url-filter';
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
  const client = useQueryClient();
  const [{ status }, change] = useUrlFilter(readTexts({ status: 'pending' }));
  const filter: ApprovalFilter['status'] = status === 'all' ? 'all' : 'pending';
  const query = useInfiniteQuery({
    queryKey: ['admin-approvals', filter],
    queryFn: ({ pageParam, signal }) =>
      request('GET /api/admin/approvals', { query: { status: filter, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: EVERY_MS,
  });
  const approvals = query.data?.pages.flatMap((page) => page.approvals) ?? [];
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
      <Paged query={query} isEmpty={approvals.length === 0} empty={t('empty')}>
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
      </Paged>
    </div>
  );
}
