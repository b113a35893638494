'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { formatOffset } from '@/components/why/format-offset';
import { WaitlistStories } from '@/components/why/waitlist-stories';
import type { Trace } from '@/lib/contract/shapes/attempt';
import type { RiskClass } from '@/lib/contract/words/attempt';
import { isolated } from '@/lib/human-text';
import { PersonLink } from '../kit/person-link';
import { AttemptCard } from './attempt-card';
import { codeWord } from './code-word';

const TONES: Record<RiskClass, BadgeTone> = {
  none: 'neutral',
  challenged: 'warning',
  limited: 'warning',
  blocked: 'danger',
};

/** Shows the answer: first in one sentence, then attempt by attempt. */
export function TraceView({ trace }: { trace: Trace }) {
  const t = useTranslations('AdminWhy');
  const localDate = useLocalDate();
  const { user, sale, attempts, waitlist, risk, reservedAt, lost, keptSince } = trace;
  return (
    <section aria-labelledby="trace" className="grid gap-4">
      <h2 id="trace" className="break-words font-semibold text-xl">
        {t('of', { email: user.email, title: isolated(sale.title) })}
      </h2>
      <PersonLink userId={user.userId}>{t('person')}</PersonLink>
      <Card className="grid gap-3 p-5">
        <p role="status" className="text-lg">
          <Summary trace={trace} />
        </p>
        <p className="flex flex-wrap items-center gap-3 text-muted">
          {t('risk')} <Badge tone={TONES[risk]}>{t(`risks.${risk}`)}</Badge>
          {reservedAt === null ? null : (
            <span>{t('reserved', { time: localDate(reservedAt, 'short') })}</span>
          )}
        </p>
      </Card>
      {attempts.length > 0 ? (
        <ol aria-label={t('attempts')} className="grid gap-3">
          {attempts.map((attempt) => (
            <li key={`${attempt.at} ${attempt.outcome === 'accepted' ? attempt.orderNo : attempt.code}`}>
              <AttemptCard attempt={attempt} startsAt={sale.startsAt} />
            </li>
          ))}
        </ol>
      ) : null}
      <WaitlistStories stories={waitlist} startsAt={sale.startsAt} />
      {lost > 0 ? <Notice tone="warning">{t('lost', { count: lost })}</Notice> : null}
      <p className="text-muted text-sm">{t('kept', { date: localDate(keptSince) })}</p>
    </section>
  );
}

/** Says in one sentence what support can tell the shopper on the telephone. */
function Summary({ trace: { attempts, sale } }: { trace: Trace }) {
  const t = useTranslations('AdminWhy');
  const locale = useLocale();
  const offset = (ms: number) => t(ms < 0 ? 'before' : 'after', { time: formatOffset(ms, locale) });
  const accepted = attempts.find((attempt) => attempt.outcome === 'accepted');
  const last = attempts.findLast((attempt) => attempt.outcome === 'refused');
  if (accepted) return t('gotOne', { offset: offset(accepted.afterStartMs), orderNo: accepted.orderNo });
  if (last?.outcome !== 'refused') return t('never');
  const { units, lastAt } = last.taken;
  const isSoldOut = last.code === 'SOLD_OUT' && last.available === 0 && lastAt !== null;
  return isSoldOut
    ? t('cameTooLate', {
        offset: offset(last.afterStartMs),
        units,
        last: offset(lastAt - sale.startsAt),
      })
    : t('refused', { offset: offset(last.afterStartMs), why: t(`codes.${codeWord(last.code)}`) });
}
