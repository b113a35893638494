'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Explained } from '@/components/ui/explained';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Live, Statement } from '@/lib/contract/shapes/live';
import { judgeInvariants } from './judge-invariants';

const MARKS = { holds: '✓', broken: '✗', old: '?' } as const;
const TONES = {
  holds: 'border-success/40 bg-success-soft text-success',
  broken: 'border-danger bg-danger-soft text-danger',
  old: 'border-line bg-sunken text-muted',
} as const;

type Props = Pick<Live, 'invariants' | 'verifiedAt'> & {
  /** The server's time, epoch ms. */
  now: number;
};

/** Shows whether the shop keeps its promises: one mark per promise, green only while it was recomputed just now. */
export function InvariantStrip({ invariants, verifiedAt, now }: Props) {
  const t = useTranslations('AdminLive');
  const localDate = useLocalDate();
  // A newer server may send a code that this page has no words for. It is shown as it is.
  const words = ({ code, values }: Statement) =>
    t.has(`statement.${code}`) ? t(`statement.${code}`, values) : code;
  const { marks, summary } = judgeInvariants(invariants, verifiedAt, now);
  const count = marks.filter(({ state }) => state === 'broken').length;
  const time = verifiedAt === null ? '' : localDate(verifiedAt, 'time');
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <h2 className="font-semibold">
        <Explained label={t('invariantsHeading')}>
          <p>{t('invariantsHelp')}</p>
        </Explained>
      </h2>
      <ul className="flex flex-wrap gap-2">
        {marks.map(({ id, state, statements }) => (
          <li key={id} className={cn('rounded-lg border px-2.5 py-1 font-semibold', TONES[state])}>
            <Explained
              className="no-underline!"
              label={
                <>
                  <span aria-hidden="true">{MARKS[state]} </span>
                  {id}
                  <span className="sr-only"> {t(`invariantState.${state}`)}</span>
                </>
              }
            >
              <p className="font-semibold">{t.has(`invariant.${id}`) ? t(`invariant.${id}`) : id}</p>
              {statements.map(words).map((text) => (
                <p key={text} className="break-words text-muted text-sm">
                  {text}
                </p>
              ))}
              {verifiedAt === null ? null : <p className="text-muted text-sm">{t('recomputed', { time })}</p>}
            </Explained>
          </li>
        ))}
      </ul>
      <p role="status" className={cn('text-sm', count > 0 ? 'font-semibold text-danger' : 'text-muted')}>
        {summary === 'none' ? t('notVerified') : null}
        {summary === 'holds' ? t('allHold', { count: marks.length }) : null}
        {summary === 'broken' ? t('someBroken', { count }) : null}
        {summary === 'old' ? t('verifiedLongAgo', { time }) : null}
      </p>
      {/* This text ticks, so screen readers don't announce it. */}
      {summary === 'holds' || summary === 'broken' ? (
        <p className="ml-auto text-muted text-sm tabular-nums">{t('recomputed', { time })}</p>
      ) : null}
    </Card>
  );
}
