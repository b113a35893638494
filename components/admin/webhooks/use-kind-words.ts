'use client';

import { useTranslations } from 'next-intl';
import { TEST_KIND, WEBHOOK_KINDS } from '@/lib/contract/words/webhook';

const KINDS = [...WEBHOOK_KINDS, TEST_KIND] as const;

/** Puts the kind of an event in words. One of a later release stays as it is. */
export function useKindWords() {
  const t = useTranslations('AdminWebhooks.kind');
  return (given: string): string => {
    const kind = KINDS.find((each) => each === given);
    return kind ? t(kind.replace('.', '_') as Underscored<typeof kind>) : given;
  };
}

/** Messages have no dots in their names. */
type Underscored<K extends string> = K extends `${infer A}.${infer B}` ? `${A}_${B}` : never;
