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
import { useFields } from '../kit/use-fields';
import { toLocalInput } from './sale-form-values';

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
  const { values, text, set } = useFields(() => ({
    title: sale.title,
    start: toLocalInput(sale.startsAt),
    end: toLocalInput(sale.endsAt),
  }));
  const { title, start, end } = values;
  const edit = useAction('PATCH /api/admin/sales/{saleId}', { refresh: onChange });
  const waiting = useWaiting(sale, !hasStarted);
  // The fields know only minutes: what was not touched is not sent.
  const isStartMoved = !hasStarted && start !== toLocalInput(sale.startsAt);
  const isEndMoved = end !== toLocalInput(sale.endsAt);
  const startsAt = isStartMoved ? Date.parse(start) : sale.startsAt;
  const endsAt = isEndMoved ? Date.parse(end) : sale.endsAt;
  const isRenamed = title.trim() !== sale.title;
  const isTooEarly = isStartMoved && !(startsAt > Date.now());
  const endProblem = () => {
    if (!isEndMoved && !isStartMoved) return null;
    if (hasStarted)
      return endsAt > sale.endsAt ? null : t('published.onlyLater', { date: localDate(sale.endsAt) });
    return endsAt > startsAt ? null : t('published.endAfter');
  };
  const endError = endProblem();
  const words = () => {
    if (isStartMoved) {
      const moves = t('published.moves', { from: localDate(sale.startsAt), to: localDate(startsAt) });
      return waiting === null ? moves : `${moves} ${t('published.waiting', { count: waiting })}`;
    }
    return isEndMoved
      ? t(hasStarted ? 'published.extends' : 'published.movesEnd', {
          from: localDate(sale.endsAt),
          to: localDate(endsAt),
        })
      : t('published.renames');
  };
  /** The sale stays as long as it is, unless its end is changed as well. */
  const moveStart = (value: string) => {
    set('start', value);
    const byMs = Date.parse(value) - Date.parse(start);
    if (byMs && !Number.isNaN(Date.parse(end))) set('end', toLocalInput(Date.parse(end) + byMs));
  };
  const change = {
    ...(isRenamed ? { title: title.trim() } : {}),
    ...(isStartMoved ? { startsAt } : {}),
    ...(isEndMoved ? { endsAt } : {}),
    version: sale.version,
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('published.heading')}</h2>
      <p className="text-muted">{t(hasStarted ? 'published.help' : 'published.helpBefore')}</p>
      {waiting ? <p>{t('published.waiting', { count: waiting })}</p> : null}
      <TextField label={t('published.title')} {...text('title')} maxLength={200} />
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
        {...text('end')}
        error={endError}
      />
      <ActionButton
        action={edit}
        className="justify-self-start"
        disabled={
          !(isRenamed || isStartMoved || isEndMoved) || isTooEarly || endError !== null || title.trim() === ''
        }
        ask={{ title: t('published.ask'), text: isTooEarly || endError ? '' : words() }}
        onPress={() => edit.mutate({ params: { saleId: sale.saleId }, body: change })}
      >
        {t('save')}
      </ActionButton>
      <Problem error={edit.error} />
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
