'use client';

import { Notice } from './notice';
import { useProblemText } from './use-problem-text';

/** Says in words what went wrong; shows nothing without an error. */
export function Problem({ error }: { error: unknown }) {
  const problemText = useProblemText();
  if (!error) return null;
  return (
    <Notice tone="danger" role="alert">
      {problemText(error)}
    </Notice>
  );
}
