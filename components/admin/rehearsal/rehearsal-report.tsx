'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { RehearsalCheck, RehearsalReport } from '@/lib/contract/shapes/rehearsal';

/** The answers that have words of their own. */
const NAMED = [
  'accepted',
  'replayed',
  'sold_out',
  'rate_limited',
  'not_started',
  'gate_invalid',
  'over_limit',
  'already_bought',
  'not_reserved',
  'ended',
  'paused',
] as const;

/** Shows how a rehearsal went: the verdict first, then the figures behind it. */
export function RehearsalReportView({ report, endedAt }: { report: RehearsalReport; endedAt: number }) {
  const t = useTranslations('AdminRehearsal');
  const localDate = useLocalDate();
  const number = new Intl.NumberFormat(useLocale());
  const broken = report.checks.filter(({ ok }) => !ok).length;
  const { latencyMs, soldOutAfterMs, units, line, draw } = report;
  const seconds = (ms: number) => t('seconds', { count: Math.round(ms / 10) / 100 });
  const pressed: [string, string][] = [
    [t('presses'), number.format(report.presses)],
    [t('perSecond'), number.format(report.perSecond)],
    [t('p50'), t('ms', { count: latencyMs.p50 })],
    [t('p99'), t('ms', { count: latencyMs.p99 })],
    [t('soldOut'), soldOutAfterMs === null ? t('notSoldOut') : seconds(soldOutAfterMs)],
  ];
  const inLine: [string, string][] = line
    ? [
        [t('joined'), number.format(line.joined)],
        [t('admitted'), number.format(line.admitted)],
        [t('admittedPerSecond'), number.format(line.admittedPerSecond)],
        [t('longestWait'), seconds(line.longestWaitMs)],
        [t('notBought'), number.format(line.notBought)],
        [t('stillWaiting'), number.format(line.waiting)],
      ]
    : [];
  const drawn: [string, string][] = draw
    ? [
        [t('entrants'), number.format(draw.entrants)],
        [t('drawn'), number.format(draw.drawn)],
        [t('givenOn'), number.format(draw.givenOn)],
        [t('bought'), number.format(draw.bought)],
      ]
    : [];
  const figures: [string, string][] = [
    ...inLine,
    ...drawn,
    // In a draw nobody presses.
    ...(draw ? [] : pressed),
    [t('unitsSold'), number.format(units.sold)],
    [t('unitsReturned'), number.format(units.released)],
  ];
  return (
    <div className="grid gap-5">
      <Notice tone={report.isGo ? 'success' : 'warning'} role="status">
        <strong>{report.isGo ? t('go') : t('noGo', { count: broken })}</strong>
        {' · '}
        {t('at', { count: report.shoppers, date: localDate(endedAt, 'short') })}
      </Notice>
      <section className="grid gap-2">
        <h3 className="font-semibold">{t('checks')}</h3>
        <ul className="grid gap-1.5">
          {[...report.checks]
            .sort((a, b) => Number(a.ok) - Number(b.ok))
            .map((check) => (
              <CheckLine key={check.id} check={check} />
            ))}
        </ul>
      </section>
      <div className="grid gap-5 md:grid-cols-2">
        <dl className="grid grid-cols-[1fr_auto] content-start gap-x-4 gap-y-1.5">
          {figures.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="text-right font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {draw ? null : <Answers answers={report.answers} />}
      </div>
      {line ? <p className="text-muted text-sm">{t('lineClock')}</p> : null}
      <p className="text-muted text-sm">{t('without')}</p>
    </div>
  );
}

function CheckLine({ check: { id, ok, figures } }: { check: RehearsalCheck }) {
  const t = useTranslations('AdminRehearsal');
  return (
    <li className="grid grid-cols-[auto_1fr] gap-2">
      <span className={ok ? 'text-success' : 'text-danger'}>
        <span aria-hidden="true">{ok ? '✓' : '✗'}</span>
        <span className="sr-only">{t(ok ? 'ok' : 'broken')}</span>
      </span>
      <span className={ok ? 'text-muted' : 'font-semibold'}>{t(`check.${id}`, figures)}</span>
    </li>
  );
}

function Answers({ answers }: { answers: Record<string, number> }) {
  const t = useTranslations('AdminRehearsal');
  const number = new Intl.NumberFormat(useLocale());
  const rows = Object.entries(answers).sort(([, a], [, b]) => b - a);
  return (
    <table className="w-full self-start text-left">
      <caption className="sr-only">{t('answers')}</caption>
      <thead>
        <tr className="border-line border-b text-muted">
          <th scope="col" className="py-1 font-normal">
            {t('answer')}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {t('count')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([status, count]) => (
          <tr key={status}>
            <td className="py-1">{t(`statuses.${NAMED.find((name) => name === status) ?? 'other'}`)}</td>
            <td className="py-1 text-right font-semibold tabular-nums">{number.format(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
