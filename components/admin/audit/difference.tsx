'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { AuditEntryView } from '@/lib/contract/shapes/audit';

type Fields = AuditEntryView['before'];

/** A change with more fields than this is folded: the reader opens it. */
const MOST_AT_ONCE = 4;

/** Shows the values before and after an action, field by field. */
export function Difference({ before, after }: { before: Fields; after: Fields }) {
  const t = useTranslations('AdminAudit');
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const list = (
    <dl className="grid gap-1">
      {names.map((name) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-muted">{name}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-2">
            {before ? (
              <State label={t('before')} name={name} value={before[name]} isGone={after !== null} />
            ) : null}
            {before && after ? <span aria-hidden="true">→</span> : null}
            {after ? <State label={t('after')} name={name} value={after[name]} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (names.length <= MOST_AT_ONCE) return list;
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">{t('fields', { count: names.length })}</summary>
      {list}
    </details>
  );
}

interface StateProps {
  label: string;
  name: string;
  value: unknown;
  isGone?: boolean;
}

function State({ label, name, value, isGone = false }: StateProps) {
  const localDate = useLocalDate();
  const text = typeof value === 'number' && name.endsWith('At') ? localDate(value) : toText(value);
  const Tag = isGone ? 'del' : 'span';
  return (
    <Tag className={isGone ? 'break-all text-muted' : 'break-all font-medium'}>
      <span className="sr-only">{label} </span>
      <bdi>{text}</bdi>
    </Tag>
  );
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
