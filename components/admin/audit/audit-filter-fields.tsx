'use client';

import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { TextField } from '@/components/ui/field';
import type { AuditFilter } from './audit-filter';

/** The first part of the names of actions that people often look for. */
const AREAS = [
  'sale.',
  'product.',
  'shop.',
  'order.',
  'approval.',
  'message.',
  'dead_letter.',
  'block.',
  'risk.',
  'alert.',
  'alert_rule.',
  'user.',
  'invitation.',
  'session.',
  'account.',
  'access.',
  'export.',
];

interface AuditFilterFieldsProps {
  filter: AuditFilter;
  onFilter: (change: Partial<AuditFilter>) => void;
}

export function AuditFilterFields({ filter, onFilter }: AuditFilterFieldsProps) {
  const t = useTranslations('AdminAudit');
  const areasId = useId();
  const field = (name: keyof AuditFilter) => ({
    label: t(name),
    value: filter[name],
    onChange: ({ target }: { target: { value: string } }) => onFilter({ [name]: target.value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5">
      <TextField {...field('actor')} hint={t('actorHint')} type="search" maxLength={254} />
      <TextField {...field('action')} hint={t('actionHint')} type="search" maxLength={100} list={areasId} />
      <datalist id={areasId}>
        {AREAS.map((area) => (
          <option key={area} value={area} />
        ))}
      </datalist>
      <TextField {...field('subjectId')} hint={t('subjectIdHint')} type="search" maxLength={254} />
      <TextField {...field('from')} type="date" />
      <TextField {...field('to')} type="date" />
    </div>
  );
}
