'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { PowTask } from '@/lib/contract/shapes/challenge';
import { solvePow } from './solve-pow';

interface PowCalculationProps {
  task: PowTask;
  onAnswer: (answer: string) => void;
  /** Called when this browser can't do the calculation. */
  onStuck: () => void;
}

/**
 * Runs the proof of work in the browser and shows its progress. It starts by itself: there is nothing to see or to
 * move.
 */
export function PowCalculation({ task, onAnswer, onStuck }: PowCalculationProps) {
  const t = useTranslations('Challenge');
  const [done, setDone] = useState(0);
  const latest = useRef({ onAnswer, onStuck });
  useEffect(() => {
    latest.current = { onAnswer, onStuck };
  });

  useEffect(() => {
    const controller = new AbortController();
    void solvePow(task, setDone, controller.signal).then((answer) => {
      if (controller.signal.aborted) return;
      if (answer === null) return latest.current.onStuck();
      setDone(1);
      latest.current.onAnswer(answer);
    });
    return () => controller.abort();
  }, [task]);

  return (
    <div className="grid gap-3">
      <p>{t('powText')}</p>
      <div
        role="progressbar"
        aria-label={t('powBar')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(done * 100)}
        className="h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
      >
        <div className="h-full origin-left bg-text" style={{ transform: `scaleX(${done})` }} />
      </div>
    </div>
  );
}
