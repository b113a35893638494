'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';

/** Says what is being done, and for how long already. */
export function RunProgress({ isRepairing }: { isRepairing: boolean }) {
  const t = useTranslations('DeskReconcile');
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - since) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="grid gap-2">
      <p role="status">{isRepairing ? t('repairing') : t('running')}</p>
      <progress aria-label={t('progress')} className="h-2 w-full accent-accent" />
      {/* A screen reader would read the ticking number again every second. */}
      <p aria-hidden="true" className="text-muted text-sm tabular-nums">
        {t('elapsed', { seconds })}
      </p>
    </div>
  );
}
