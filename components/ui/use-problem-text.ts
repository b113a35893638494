'use client';

import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import type messages from '@/messages/en.json';

type Code = keyof (typeof messages)['Errors'];

/**
 * Returns the sentence for an error code or a thrown problem; a code without a sentence of its own gets the general
 * one.
 */
export function useProblemText(): (problem: unknown) => string {
  const t = useTranslations('Errors');
  return (problem) => {
    const code = typeof problem === 'string' ? problem : problemCode(problem);
    return t(t.has(code as Code) ? (code as Code) : 'UNKNOWN');
  };
}
