'use client';

import { Notice } from './notice';
import { useProblemText } from './use-problem-text';

/** What went wrong, in words; nothing while nothing has. */
export function Problem({ error }: { error: unknown }) {
  const problemText = useProblemText();
  if (!error) return null;
  return (
    <Notice tone="danger" role="alert">
      {problemText(error)}
    </Notice>
  );
}
