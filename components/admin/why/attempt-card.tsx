'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { formatOffset } from '@/components/why/format-offset';
import { Link } from '@/i18n/navigation';
import type { TracedAttempt } from '@/lib/contract/shapes/attempt';
import { codeWord } from './code-word';

interface AttemptCardProps {
  attempt: TracedAttempt;
  startsAt: number;
}

/** Shows one attempt: when it came, how it was answered, and how much stock was left. */
export function AttemptCard({ attempt, startsAt }: AttemptCardProps) {
  const t = useTranslations('AdminWhy');
  const locale = useLocale();
  const offset = (ms: number) => t(ms < 0 ? 'before' : 'after', { time: formatOffset(ms, locale) });
  const { at, afterStartMs, taken } = attempt;
  const facts: [string, string][] = [
    [t('arrival'), `${exactTime(at, locale)} · ${offset(afterStartMs)}`],
    // Doesn't say "of how many": units may have been added since, and others have come back.
    [t('gone'), t('goneIn', { units: taken.units, orders: taken.orders })],
  ];
  if (taken.lastAt !== null) facts.push([t('lastTaken'), offset(taken.lastAt - startsAt)]);
  if (attempt.outcome === 'refused') {
    const { available, times, lastAt } = attempt;
    facts.push([
      t('left'),
      available === null ? t('unknown') : available === -1 ? t('unlimited') : String(available),
    ]);
    if (times > 1) facts.push([t('times'), t('timesUntil', { times, offset: offset(lastAt - startsAt) })]);
  } else if (attempt.enteredAt !== null) facts.push([t('entered'), offset(attempt.enteredAt - startsAt)]);
  return (
    <Card className="grid gap-3 p-5">
      <h3 className="flex flex-wrap items-center gap-3 font-semibold">
        {attempt.outcome === 'accepted' ? (
          <>
            <Badge tone="success">{t('accepted')}</Badge>
            <Link
              href={`/admin/orders/${attempt.orderNo}`}
              prefetch={false}
              className="underline underline-offset-4"
            >
              {t('order', { orderNo: attempt.orderNo })}
            </Link>
          </>
        ) : (
          <>
            <Badge>{t(`places.${attempt.place}`)}</Badge>
            {t(`codes.${codeWord(attempt.code)}`)}
            <code className="font-normal text-muted text-sm">{attempt.code}</code>
          </>
        )}
      </h3>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {facts.map(([label, value]) => (
          <div key={label} className="grid sm:contents">
            <dt className="text-muted">{label}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Formats a time with milliseconds, because milliseconds decide. */
const exactTime = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).format(at);
