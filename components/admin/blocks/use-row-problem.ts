'use client';

import { useTranslations } from 'next-intl';
import type messages from '@/messages/en.json';

type Problem = keyof (typeof messages)['Admin']['blocks']['problems'];

/** Puts in words what is wrong with the subject of a block. A problem without words is shown as it is. */
export function useRowProblem(): (problem: string) => string {
  const t = useTranslations('Admin.blocks.problems');
  return (problem) => (t.has(problem as Problem) ? t(problem as Problem) : problem);
}
