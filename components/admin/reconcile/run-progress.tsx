'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { ReconcileProgress } from '@/lib/contract/shapes/reconcile';
import { shareDone } from './share-done';

interface RunProgressProps {
  isRepairing: boolean;
  /** Null: not known yet. */
  progress: ReconcileProgress | null;
}

/** Shows what the reconciliation is doing, how far it is, and how long it has run. */
export function RunProgress({ isRepairing, progress }: RunProgressProps) {
  const t = useTranslations('AdminReconcile');
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - since) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="grid gap-2">
      <p role="status">{isRepairing ? t('repairing') : t('running')}</p>
      <progress
        aria-label={t('progress')}
        className="h-2 w-full accent-accent"
        value={progress ? shareDone(progress) : undefined}
      />
      {/* A screen reader would read the ticking numbers again every second. */}
      <p aria-hidden="true" className="flex flex-wrap gap-x-3 text-muted text-sm tabular-nums">
        {progress ? <span>{t(`stages.${progress.stage}`, { ...progress })}</span> : null}
        <span>{t('elapsed', { seconds })}</span>
      </p>
    </div>
  );
}
