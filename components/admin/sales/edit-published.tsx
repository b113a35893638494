'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useTouched } from '../kit/use-touched';
import { type PublishedChange, readChange } from './published-change';
import { toLocalInput } from './sale-form-values';
import { TitleFields } from './title-fields';

interface EditPublishedProps {
  sale: SaleInfo;
  hasStarted: boolean;
  onChange: () => void;
}

/** How often to count those who wait. */
const COUNT_EVERY_MS = 5_000;

/** Edits what can still change in a published sale: its title, its times until it starts, and then a later end. */
export function EditPublished({ sale, hasStarted, onChange }: EditPublishedProps) {
  const t = useTranslations('AdminSales');
  const admin = useTranslations('Admin');
  const localDate = useLocalDate();
  const { values, isOvertaken, touch, settle } = useTouched({
    title: sale.title,
    titles: sale.titles,
    start: toLocalInput(sale.startsAt),
    end: toLocalInput(sale.endsAt),
  });
  const { title, titles, start, end } = values;
  const edit = useAction('PATCH /api/admin/sales/{saleId}', { onDone: settle, refresh: onChange });
  const waiting = useWaiting(sale, !hasStarted);
  const { change, isTooEarly, isEndWrong } = readChange(sale, values, hasStarted);
  const words = useChangeWords(sale, hasStarted, waiting);
  const endProblem = () =>
    hasStarted ? t('published.onlyLater', { date: localDate(sale.endsAt) }) : t('published.endAfter');
  /** The sale stays as long as it is, unless its end is changed as well. */
  const moveStart = (value: string) => {
    const byMs = Date.parse(value) - Date.parse(start);
    const isMoved = byMs && !Number.isNaN(Date.parse(end));
    touch({ start: value, ...(isMoved ? { end: toLocalInput(Date.parse(end) + byMs) } : {}) });
  };
  const isWrong = isTooEarly || isEndWrong || title.trim() === '';
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('published.heading')}</h2>
      <p className="text-muted">{t(hasStarted ? 'published.help' : 'published.helpBefore')}</p>
      {waiting ? <p>{t('published.waiting', { count: waiting })}</p> : null}
      <TextField
        label={t('published.title')}
        value={title}
        onChange={({ target }) => touch({ title: target.value })}
        maxLength={200}
      />
      <TitleFields titles={titles} onChange={(changed) => touch({ titles: changed })} />
      {hasStarted ? null : (
        <TextField
          label={t('published.start')}
          type="datetime-local"
          hint={t('timeline.zone', { zone })}
          value={start}
          onChange={({ target }) => moveStart(target.value)}
          error={isTooEarly ? t('published.startAhead') : null}
        />
      )}
      <TextField
        label={t('published.end')}
        type="datetime-local"
        hint={t('timeline.zone', { zone })}
        value={end}
        onChange={({ target }) => touch({ end: target.value })}
        error={isEndWrong ? endProblem() : null}
      />
      <ActionButton
        action={edit}
        className="justify-self-start"
        disabled={isWrong || Object.keys(change).length === 0}
        ask={{ title: t('published.ask'), text: isTooEarly || isEndWrong ? '' : words(change) }}
        onPress={() =>
          edit.mutate({ params: { saleId: sale.saleId }, body: { ...change, version: sale.version } })
        }
      >
        {t('save')}
      </ActionButton>
      <Problem error={edit.error ?? (isOvertaken ? 'VERSION_CONFLICT' : null)} />
      {edit.isSuccess ? (
        <p role="status" className="text-success">
          {admin('done')}
        </p>
      ) : null}
    </Card>
  );
}

/** Counts those who are known to wait for the start; null: not known, or nobody can be. */
function useWaiting({ saleId, reservation, admission }: SaleInfo, isBefore: boolean): number | null {
  const { data } = useQuery({
    queryKey: ['sale-state', saleId],
    queryFn: ({ signal }) => request('GET /api/sales/{saleId}/state', { params: { saleId }, signal }),
    refetchInterval: COUNT_EVERY_MS,
    enabled: isBefore && (reservation !== null || ADMISSIONS[admission].hasLine),
  });
  return isBefore ? (data?.line?.joined ?? data?.reservation?.reserved ?? null) : null;
}

/** Puts in words what a change does. */
function useChangeWords(sale: SaleInfo, hasStarted: boolean, waiting: number | null) {
  const t = useTranslations('AdminSales.published');
  const localDate = useLocalDate();
  return ({ startsAt, endsAt }: PublishedChange): string => {
    if (startsAt !== undefined) {
      const moves = t('moves', { from: localDate(sale.startsAt), to: localDate(startsAt) });
      return waiting === null ? moves : `${moves} ${t('waiting', { count: waiting })}`;
    }
    return endsAt === undefined
      ? t('renames')
      : t(hasStarted ? 'extends' : 'movesEnd', { from: localDate(sale.endsAt), to: localDate(endsAt) });
  };
}
