'use client';

import { useTranslations } from 'next-intl';
import { addressOf } from '@/components/api/request';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ExportLink } from '../kit/export-link';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { AuditCheck } from './audit-check';
import { auditQueryOf, NO_FILTER } from './audit-filter';
import { AuditFilterFields } from './audit-filter-fields';
import { AuditTable } from './audit-table';

/** Shows who did what in the admin area, and whether the log of it is whole. */
function Audit() {
  const t = useTranslations('AdminAudit');
  const [filter, setFilter] = useUrlFilter(readTexts(NO_FILTER));
  return (
    <PageFrame words="AdminAudit">
      <AuditCheck />
      <section aria-label={t('list')} className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="font-semibold text-xl">{t('list')}</h2>
          <ExportLink href={addressOf('GET /api/admin/audit/export', { query: auditQueryOf(filter) })}>
            {t('export')}
          </ExportLink>
        </div>
        <AuditFilterFields filter={filter} onFilter={setFilter} />
        <AuditTable filter={filter} />
      </section>
    </PageFrame>
  );
}

export const AuditPage = adminPage(Audit, 'seeAudit', 'AdminAudit');
