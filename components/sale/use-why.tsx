'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { later } from '@/components/ui/later';
import { Loading } from './loading';

const WhyExplanation = later(async () => (await import('@/components/why/explanation')).WhyExplanation);

/**
 * Offers the reasons of a refusal.
 * @param mayAsk false: there is nothing to ask
 * @returns the button that asks for them, and the place where they are shown; both null if there is none
 */
export function useWhy(saleId: string, mayAsk: boolean): { button: ReactNode; answer: ReactNode } {
  const t = useTranslations('Why');
  const [isAsking, setIsAsking] = useState(false);
  const id = useId();
  useEffect(() => {
    if (mayAsk) void WhyExplanation.load();
  }, [mayAsk]);
  if (!mayAsk) return { button: null, answer: null };
  return {
    button: (
      <button
        type="button"
        aria-expanded={isAsking}
        aria-controls={isAsking ? id : undefined}
        onClick={() => setIsAsking((was) => !was)}
        className="text-text underline underline-offset-4"
      >
        {t('ask')}
      </button>
    ),
    answer: isAsking ? (
      <Suspense fallback={<Loading id={id} />}>
        <WhyExplanation saleId={saleId} id={id} />
      </Suspense>
    ) : null,
  };
}
