'use client';

import { useTranslations } from 'next-intl';
import { useList, useRefreshLists } from '@/components/api/use-list';
import { SelectField } from '@/components/ui/field';
import { PageHeading } from '@/components/ui/headings';
import type { ApprovalFilter } from '@/lib/contract/shapes/approval';
import { AdminGate } from '../kit/admin-gate';
import { Paged } from '../kit/paged';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { ApprovalCard } from './approval-card';

const EVERY_MS = 5_000;

export function ApprovalsPage() {
  return (
    <AdminGate>
      <Approvals />
    </AdminGate>
  );
}

/** What one person has asked for and another one has to allow. */
function Approvals() {
  const t = useTranslations('AdminApprovals');
  const refreshLists = useRefreshLists();
  const [{ status }, change] = useUrlFilter(readTexts({ status: 'pending' }));
  const filter: ApprovalFilter['status'] = status === 'all' ? 'all' : 'pending';
  const { query, items: approvals } = useList('GET /api/admin/approvals', {
    query: { status: filter },
    refetchInterval: EVERY_MS,
  });
  return (
    <div className="grid gap-6">
      <PageHeading heading={t('heading')} intro={t('intro')} />
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
              <ApprovalCard approval={approval} onChange={() => refreshLists('GET /api/admin/approvals')} />
            </li>
          ))}
        </ul>
      </Paged>
    </div>
  );
}
