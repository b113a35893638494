'use client';

import { useTranslations } from 'next-intl';
import { useList, useRefreshLists } from '@/components/api/use-list';
import type { ApprovalFilter } from '@/lib/contract/shapes/approval';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ChoiceField } from '../kit/choice-field';
import { Paged } from '../kit/paged';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { ApprovalCard } from './approval-card';

const EVERY_MS = 5_000;

/** Lists the actions that one person has asked for and a second person has to allow. */
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
    <PageFrame words="AdminApprovals" className="gap-6">
      <div className="max-w-xs">
        <ChoiceField
          label={t('show')}
          value={filter}
          choices={['pending', 'all']}
          nameOf={(status) => t(`filters.${status}`)}
          onChoose={(status) => change({ status })}
        />
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
    </PageFrame>
  );
}

export const ApprovalsPage = adminPage(Approvals);
