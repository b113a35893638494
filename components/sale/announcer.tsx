'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { type Announcement, markPassed, resultReached } from './announcements';
import type { BuyView } from './buy-view';

/** Tells screen readers, politely, what changed: at 10 min, 1 min and 10 s, at the start, and each result. */
export function Announcer({ leftMs, kind }: { leftMs: number | null; kind: BuyView['kind'] }) {
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

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said ? t(said) : ''}
    </div>
  );
}
