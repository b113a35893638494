'use client';

import { useTranslations } from 'next-intl';
import type messages from '@/messages/en.json';

type Known = keyof (typeof messages)['AdminAudit']['actions'];

/** Puts an action in words. An action without words is called by its name. */
export function useActionWords(): (action: string) => string {
  const t = useTranslations('AdminAudit.actions');
  return (action) => {
    const key = action.replace('.', '_') as Known;
    return t.has(key) ? t(key) : action;
  };
}
