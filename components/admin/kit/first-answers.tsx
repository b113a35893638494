'use client';

import { type Query, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';

/** The page shows what it has after this time, whatever is still under way. */
const LONGEST_MS = 1_500;

const isUnanswered = ({ state }: Query) =>
  state.fetchStatus === 'fetching' && state.data === undefined && state.fetchFailureCount === 0;

/**
 * Shows a page's parts together, once each has its first answer: one that loads later than those below it would push
 * them down under the reader's eyes. They are laid out meanwhile, since charts measure their place.
 */
export function FirstAnswers({ children }: { children: ReactNode }) {
  const t = useTranslations('Common');
  const client = useQueryClient();
  const [isShown, setIsShown] = useState(false);

  useEffect(() => {
    if (isShown) return;
    const cache = client.getQueryCache();
    const look = () => {
      if (!cache.getAll().some(isUnanswered)) setIsShown(true);
    };
    const timer = setTimeout(() => setIsShown(true), LONGEST_MS);
    const unsubscribe = cache.subscribe(look);
    look();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client, isShown]);

  return (
    <div className="relative">
      {isShown ? null : <p className="absolute text-lg text-muted">{t('loading')}</p>}
      <div className={isShown ? undefined : 'invisible'}>{children}</div>
    </div>
  );
}
