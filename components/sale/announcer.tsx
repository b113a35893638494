'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { type Announcement, markPassed, resultReached } from './announcements';
import type { BuyView } from './buy-view';

interface AnnouncerProps {
  leftMs: number | null;
  kind: BuyView['kind'];
  /** The challenge's message; null between two equal messages, so that the second is announced too. */
  news: Announcement | null;
}

/**
 * Announces changes to screen readers, politely: at 10 min, 1 min and 10 s, at the start, each result, and the course
 * of a challenge.
 */
export function Announcer({ leftMs, kind, news }: AnnouncerProps) {
  const t = useTranslations('Announce');
  const [said, setSaid] = useState<Announcement | null>(null);
  const before = useRef<{ leftMs: number | null; kind: BuyView['kind'] }>({ leftMs: null, kind: 'loading' });

  useEffect(() => {
    const { leftMs: leftBefore, kind: kindBefore } = before.current;
    before.current = { leftMs, kind };
    const mark = leftBefore !== null && leftMs !== null ? markPassed(leftBefore, leftMs) : null;
    const next = resultReached(kindBefore, kind) ?? mark;
    if (next) setSaid(next);
  }, [leftMs, kind]);

  useEffect(() => setSaid(news), [news]);

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said ? t(said) : ''}
    </div>
  );
}
