'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { type Announcement, markPassed, resultReached } from './announcements';
import type { BuyView } from './buy-view';

interface AnnouncerProps {
  leftMs: number | null;
  kind: BuyView['kind'];
  /** Of the challenge; null between two that say the same, so that the second is said again. */
  news: Announcement | null;
}

/**
 * Tells screen readers, politely, what changed: at 10 min, 1 min and 10 s, at the start, each result, and what becomes of
 * a challenge.
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
