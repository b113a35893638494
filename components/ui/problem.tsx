'use client';

import { Notice } from './notice';
import { useProblemText } from './use-problem-text';

/** Says in words what went wrong; shows nothing without an error. `isSmall` is for tables and the like. */
export function Problem({ error, isSmall = false }: { error: unknown; isSmall?: boolean }) {
  const problemText = useProblemText();
  if (!error) return null;
  if (isSmall)
    return (
      <p role="alert" className="text-danger text-sm">
        {problemText(error)}
      </p>
    );
  return (
    <Notice tone="danger" role="alert">
      {problemText(error)}
    </Notice>
  );
}
