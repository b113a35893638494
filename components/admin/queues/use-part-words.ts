'use client';

import { useTranslations } from 'next-intl';
import type messages from '@/messages/en.json';

type Words = (typeof messages)['AdminQueues'];

/**
 * Returns the name of a function, a topic or another part that handles messages. A part without words is shown as
 * it is.
 */
export function usePartWords(): (name: string) => string {
  const t = useTranslations('AdminQueues');
  return (name) => {
    const part = `parts.${name}` as `parts.${keyof Words['parts']}`;
    const topic = `topics.${name}` as `topics.${keyof Words['topics']}`;
    if (t.has(part)) return t(part);
    return t.has(topic) ? t(topic) : name;
  };
}
