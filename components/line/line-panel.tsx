'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { formatShort } from '@/components/clock/countdown-parts';
import { Button } from '@/components/ui/button';
import { MainButton, MainSignIn } from '@/components/ui/main-action';
import { Notice } from '@/components/ui/notice';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useProblemText } from '@/components/ui/use-problem-text';
import { LeavePlace } from './leave-place';
import { type LineNews, lineNews } from './line-news';
import { LineTrack } from './line-track';
import type { LineView } from './line-view';
import { useTabTitle, useTurnSignal } from './turn-signal';
import { WaitingFacts } from './waiting-facts';

interface LinePanelProps {
  view: LineView;
  /** Server time, epoch ms. */
  now: number;
  /** Path of this page without its language, for the way back after signing in. */
  pagePath: string;
  onJoin: () => void;
  onLeave: () => void;
}

/** Shows the waiting room: the way in, the own place and how it moves, and what comes next. */
export function LinePanel({ view, now, pagePath, onJoin, onLeave }: LinePanelProps) {
  const t = useTranslations('Line');
  const number = new Intl.NumberFormat(useLocale());
  const isTurn = view.kind === 'turn';
  const isIn = view.kind === 'gathering' || view.kind === 'shuffling' || view.kind === 'waiting' || isTurn;
  const signal = useTurnSignal(isTurn);
  const focus = useKeptFocus(view.kind);
  const { ref: _, ...noted } = focus;
  useTabTitle(titleOf(view, t, number), isTurn);

  return (
    <section aria-label={t('heading')} className="grid gap-3">
      {view.kind === 'gathering' ? (
        <p className="grid justify-items-center gap-1 rounded-xl bg-sunken px-4 py-6 text-center">
          <span translate="no" className="font-bold text-4xl tabular-nums">
            {number.format(view.joined)}
          </span>
          <span className="text-muted">{t('gathered')}</span>
        </p>
      ) : null}
      {view.kind === 'waiting' ? <WaitingFacts view={view} /> : null}
      {view.kind === 'shuffling' ? <LineTrack ahead={500} isMoving /> : null}
      {(view.kind === 'gathering' || view.kind === 'waiting') && view.isStale ? (
        <Notice tone="warning">{t('stale')}</Notice>
      ) : null}
      {view.kind === 'waiting' && view.isHeld ? <Notice>{t('heldText')}</Notice> : null}
      <div {...focus} tabIndex={-1} className="outline-none">
        <LineAction view={view} now={now} pagePath={pagePath} onJoin={onJoin} />
      </div>
      <LineText view={view} />
      {isIn && !isTurn ? (
        <div {...noted} className="flex flex-wrap gap-2">
          <Button aria-pressed={signal.isOn} onClick={signal.toggle}>
            {t(signal.isOn ? 'soundOn' : 'soundOff')}
          </Button>
          <LeavePlace t={t} onLeave={onLeave} />
        </div>
      ) : null}
      <LineAnnouncer view={view} />
    </section>
  );
}

/** The button that there is, if any. */
function LineAction({ view, now, pagePath, onJoin }: Omit<LinePanelProps, 'onLeave'>) {
  const t = useTranslations('Line');
  switch (view.kind) {
    case 'soon':
      return <MainButton>{t('opensIn', { time: formatShort(view.opensAt - now) })}</MainButton>;
    case 'signIn':
      return <MainSignIn pagePath={pagePath}>{t('signIn')}</MainSignIn>;
    case 'join':
      return <MainButton onPress={onJoin}>{t('join')}</MainButton>;
    case 'joining':
      return <MainButton isBusy>{t('joining')}</MainButton>;
    case 'over':
      return view.canRejoin ? (
        <MainButton onPress={onJoin}>{t('rejoin')}</MainButton>
      ) : (
        <MainButton>{t('overShort')}</MainButton>
      );
    case 'closed':
      return <MainButton>{t('closedShort')}</MainButton>;
    case 'refused':
      return <MainButton>{t('refused')}</MainButton>;
    case 'challenge':
      return <MainButton>{t('challenge')}</MainButton>;
    case 'turn':
      return <MainButton isBusy>{t('enteringNow')}</MainButton>;
    case 'loading':
      return <MainButton>{t('loading')}</MainButton>;
    default:
      return null;
  }
}

/** Says what happens next. */
function LineText({ view }: { view: LineView }) {
  const t = useTranslations('Line');
  const problemText = useProblemText();
  const text = (): string => {
    switch (view.kind) {
      case 'join':
        if (view.refusal) return problemText(view.refusal);
        return view.isRunning ? t('joinLate', { count: view.joined }) : t('joinText', { count: view.joined });
      case 'refused':
        return problemText(view.code);
      case 'over':
        return view.refusal ? problemText(view.refusal) : t(view.canRejoin ? 'overText' : 'overClosed');
      case 'waiting':
        return t(view.outlook === 'good' ? 'waitingText' : view.outlook);
      default:
        return t(`${view.kind}Text`);
    }
  };
  return <p className="min-h-12 text-base text-muted">{text()}</p>;
}

/** Tells screen readers what changed, and nothing else. */
function LineAnnouncer({ view }: { view: LineView }) {
  const t = useTranslations('Line.news');
  const before = useRef(view);
  const [news, setNews] = useState<LineNews | null>(null);
  useEffect(() => {
    const next = lineNews(before.current, view);
    before.current = view;
    if (next) setNews(next);
  }, [view]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {news ? t(news) : ''}
    </div>
  );
}

type Words = ReturnType<typeof useTranslations<'Line'>>;

function titleOf(view: LineView, t: Words, number: Intl.NumberFormat): string | null {
  if (view.kind === 'turn') return t('titleTurn');
  return view.kind === 'waiting' ? t('titleAhead', { count: number.format(view.ahead) }) : null;
}
