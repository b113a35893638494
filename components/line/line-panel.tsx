'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { formatShort } from '@/components/clock/countdown-parts';
import { Button, buttonStyle } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Notice } from '@/components/ui/notice';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
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

const BOX = 'h-14 w-full whitespace-nowrap tabular-nums';

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
          <ConfirmDialog
            trigger={<Button tone="plain">{t('leave')}</Button>}
            title={t('leaveTitle')}
            text={t('leaveText')}
            confirmLabel={t('leave')}
            keepLabel={t('stay')}
            isDangerous
            onConfirm={onLeave}
          />
        </div>
      ) : null}
      <LineAnnouncer view={view} />
    </section>
  );
}

/** The button that there is, if any. */
function LineAction({ view, now, pagePath, onJoin }: Omit<LinePanelProps, 'onLeave'>) {
  const t = useTranslations('Line');
  const main = (text: string, onPress: (() => void) | null, isBusy = false) => (
    <Button
      tone="primary"
      size="lg"
      className={BOX}
      disabled={onPress === null}
      isBusy={isBusy}
      onClick={onPress ?? undefined}
    >
      {text}
    </Button>
  );
  switch (view.kind) {
    case 'soon':
      return main(t('opensIn', { time: formatShort(view.opensAt - now) }), null);
    case 'signIn':
      return (
        <Link
          href={`/signin?callbackUrl=${encodeURIComponent(pagePath)}`}
          prefetch={false}
          className={cn(buttonStyle({ tone: 'primary', size: 'lg' }), BOX)}
        >
          {t('signIn')}
        </Link>
      );
    case 'join':
      return main(t('join'), onJoin);
    case 'joining':
      return main(t('joining'), null, true);
    case 'over':
      return view.canRejoin ? main(t('rejoin'), onJoin) : main(t('overShort'), null);
    case 'closed':
      return main(t('closedShort'), null);
    case 'refused':
      return main(t('refused'), null);
    case 'challenge':
      return main(t('challenge'), null);
    case 'turn':
      return main(t('enteringNow'), null, true);
    case 'loading':
      return main(t('loading'), null);
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
