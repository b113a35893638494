'use client';

import { useTranslations } from 'next-intl';
import { useToast } from '@/components/ui/toasts';
import { useProblemText } from '@/components/ui/use-problem-text';

/** The message after an action is done. */
export interface Said {
  text: string;
  /** The way to undo it: one ordinary request. The server refuses it like any other where it no longer fits. */
  undo?: {
    request: () => Promise<unknown>;
    /** The message after the undo. */
    text: string;
  };
}

/**
 * Tells the user in a toast what has been done, and offers to undo it where that is possible.
 * @param onUndone called after an undo, also a refused one
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
