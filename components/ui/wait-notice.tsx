'use client';

import { formatShort } from '@/components/clock/countdown-parts';
import { Notice } from './notice';
import type { Wait } from './use-wait';

/**
 * Says for how long the visitor can't try again. A screen reader reads it once, with the whole time; only the visible
 * figures tick.
 * @param words returns the sentence with a time put in
 */
export function WaitNotice({ wait, words }: { wait: Wait; words: (time: string) => string }) {
  if (wait.leftMs === 0) return null;
  return (
    <Notice tone="warning" role="alert">
      <span className="sr-only">{words(formatShort(wait.wholeMs))}</span>
      <span aria-hidden="true" className="tabular-nums">
        {words(formatShort(wait.leftMs))}
      </span>
    </Notice>
  );
}
