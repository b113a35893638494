'use client';

import { useTranslations } from 'next-intl';
import type { LiveNumbers, Statement } from '@/components/api/types';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Explained } from '@/components/ui/explained';
import { useLocalDate } from '@/components/ui/use-local-date';
import type messages from '@/messages/en.json';
import { judgeInvariants } from './judge-invariants';

const MARKS = { holds: '✓', broken: '✗', old: '?' } as const;
const TONES = {
  holds: 'border-success/40 bg-success-soft text-success',
  broken: 'border-danger bg-danger-soft text-danger',
  old: 'border-line bg-sunken text-muted',
} as const;

type Props = Pick<LiveNumbers, 'invariants' | 'verifiedAt'> & {
  /** The server's time, epoch ms. */
  now: number;
};

/** Whether everything the shop promises holds: one mark per promise, green only while it was recomputed just now. */
export function InvariantStrip({ invariants, verifiedAt, now }: Props) {
  const t = useTranslations('DeskLive');
  const localDate = useLocalDate();
  const words = ({ code, values }: Statement) => (t.has(key(code)) ? t(key(code), values) : code);
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
              className="no-underline"
              label={
                <>
                  <span aria-hidden="true">{MARKS[state]} </span>
                  {id}
                  <span className="sr-only"> {t(`invariantState.${state}`)}</span>
                </>
              }
            >
              <p className="font-semibold">{isKnown(id) ? t(`invariant.${id}`) : id}</p>
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
      {/* Ticks, so it is not part of what is announced. */}
      {summary === 'holds' || summary === 'broken' ? (
        <p className="ml-auto text-muted text-sm tabular-nums">{t('recomputed', { time })}</p>
      ) : null}
    </Card>
  );
}

/** The words for a statement; one without words (a newer server's) is said as it is. */
const key = (code: string) =>
  `statement.${code as keyof (typeof messages)['DeskLive']['statement']}` as const;
const KNOWN = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;
const isKnown = (id: string): id is (typeof KNOWN)[number] => (KNOWN as readonly string[]).includes(id);
