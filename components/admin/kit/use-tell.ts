'use client';

import { useTranslations } from 'next-intl';
import { useToast } from '@/components/ui/toasts';
import { useProblemText } from '@/components/ui/use-problem-text';

/** What is said when something has been done. */
export interface Said {
  text: string;
  /** How it is taken back: by one ordinary request, refused like any other where it no longer fits. */
  undo?: {
    request: () => Promise<unknown>;
    /** What is said when it has been taken back. */
    text: string;
  };
}

/**
 * Tells in the admin area's edge what has been done, and offers to take it back where that is possible.
 * @param onUndone after an undo, also a refused one
 */
export function useTell(onUndone: () => void = () => {}): (said: Said) => void {
  const t = useTranslations('AdminDone');
  const show = useToast();
  const problemText = useProblemText();
  const takeBack = ({ request, text }: NonNullable<Said['undo']>) => {
    request()
      .then(
        () => show({ text }),
        (error: unknown) => show({ tone: 'danger', text: t('notUndone', { problem: problemText(error) }) }),
      )
      .finally(onUndone);
  };
  return ({ text, undo }) =>
    show({ text, action: undo ? { label: t('undo'), onPress: () => takeBack(undo) } : undefined });
}
