'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { AuditEntryView } from '@/lib/contract/shapes/audit';
import { isolated } from '@/lib/human-text';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { type AuditFilter, auditQueryOf } from './audit-filter';
import { Difference } from './difference';
import { useActionWords } from './use-action-words';
import { useKindWords } from './use-kind-words';

const COLUMNS = ['when', 'who', 'what', 'subject', 'change'] as const;

/** Lists the recorded actions, newest first, page by page. */
export function AuditTable({ filter }: { filter: AuditFilter }) {
  const t = useTranslations('AdminAudit');
  const { query, items: entries } = useList('GET /api/admin/audit', { query: auditQueryOf(filter) });
  return (
    <Paged query={query} isEmpty={entries.length === 0} empty={t('empty')}>
      <DataTable isStacked caption={t('heading')} columns={COLUMNS.map((name) => ({ label: t(name) }))}>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </DataTable>
    </Paged>
  );
}

function Row({ entry }: { entry: AuditEntryView }) {
  const t = useTranslations('AdminAudit');
  const words = useActionWords();
  const { roleWord, kindWord } = useKindWords();
  const localDate = useLocalDate();
  const { id, at, actorId, actorEmail, actorRole, action, subjectKind, subjectId, before, after, reason } =
    entry;
  return (
    <tr>
      <td className="whitespace-nowrap tabular-nums">
        {localDate(at, 'short')}
        <span className="block text-muted text-sm">{t('number', { id })}</span>
      </td>
      <td className="min-w-52">
        <bdi className="break-all">{actorEmail ?? actorId}</bdi>
        <span className="block text-muted text-sm">{roleWord(actorRole)}</span>
      </td>
      <th scope="row">
        <span className="font-medium">{words(action)}</span>
        {reason === null ? null : (
          <span className="block break-words text-muted text-sm">
            {t('because', { reason: isolated(reason) })}
          </span>
        )}
      </th>
      <td>
        <span className="block text-muted text-sm">{kindWord(subjectKind)}</span>
        <bdi className="break-all text-sm">{subjectId}</bdi>
      </td>
      <td className="max-w-md text-sm">
        <Difference before={before} after={after} />
      </td>
    </tr>
  );
}
