'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { AdminAlert } from '@/lib/contract/shapes/alert';
import { MAX_REASON_LENGTH } from '@/lib/contract/words/reason';
import { useAction } from '../kit/use-action';
import { useAlertWords } from './use-alert-words';

const TONES: Record<AdminAlert['state'], BadgeTone> = {
  pending: 'neutral',
  firing: 'danger',
  resolved: 'success',
};

interface AlertRowProps {
  alert: AdminAlert;
  mayAcknowledge: boolean;
  onChange: () => void;
}

/** Shows one alert: what is wrong, by how much, since when, and who has acknowledged it. */
export function AlertRow({ alert, mayAcknowledge, onChange }: AlertRowProps) {
  const t = useTranslations('AdminAlerts');
  const localDate = useLocalDate();
  const { ruleName, ruleHelp, subjectName, amount } = useAlertWords();
  const { rule, unit, subject, saleId, saleTitle, state, value, peak, threshold } = alert;
  return (
    <li className="grid gap-3 border-line border-t p-5 first:border-t-0">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="font-semibold text-lg">{ruleName(rule)}</h3>
        <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
        {saleId ? (
          <Link href={`/admin/sales/${saleId}`} prefetch={false} className="break-all underline">
            {saleTitle ?? saleId}
          </Link>
        ) : (
          <span className="break-all text-muted">{subjectName(rule, subject)}</span>
        )}
      </div>
      <p className="text-muted">{ruleHelp(rule)}</p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 tabular-nums">
        <Figure label={t('value')} text={amount(value, unit)} />
        <Figure label={t('peak')} text={amount(peak, unit)} />
        <Figure label={t('threshold')} text={amount(threshold, unit)} />
        <Figure label={t('since')} text={localDate(alert.since, 'short')} />
        {alert.resolvedAt === null ? null : (
          <Figure label={t('resolvedAt')} text={localDate(alert.resolvedAt, 'short')} />
        )}
      </dl>
      <Acknowledgement alert={alert} mayAcknowledge={mayAcknowledge} onChange={onChange} />
    </li>
  );
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-medium">{text}</dd>
    </div>
  );
}

function Acknowledgement({ alert, mayAcknowledge, onChange }: AlertRowProps) {
  const t = useTranslations('AdminAlerts');
  const localDate = useLocalDate();
  const done = useTranslations('AdminDone');
  const [note, setNote] = useState('');
  const acknowledge = useAction('POST /api/admin/alerts/{id}/acknowledge', {
    says: () => ({ text: done('acknowledged') }),
    refresh: onChange,
  });
  if (alert.acknowledgedAt !== null) {
    const by = { email: alert.acknowledgedByEmail ?? '–', time: localDate(alert.acknowledgedAt, 'short') };
    return (
      <p className="break-words text-sm">
        {t('acknowledged', by)}
        {alert.note ? <q className="ml-2">{alert.note}</q> : null}
      </p>
    );
  }
  if (alert.state !== 'firing' || !mayAcknowledge) return null;
  return (
    <form
      method="post"
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        acknowledge.mutate({ params: { id: alert.id }, body: { note: note.trim() } });
      }}
    >
      <TextField
        label={t('note')}
        value={note}
        maxLength={MAX_REASON_LENGTH}
        onChange={({ target }) => setNote(target.value)}
      />
      <Button type="submit" isBusy={acknowledge.isPending}>
        {t('acknowledge')}
      </Button>
      <Problem isSmall error={acknowledge.error} />
    </form>
  );
}
