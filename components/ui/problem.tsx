'use client';

import { Notice } from './notice';
import { useProblemText } from './use-problem-text';

/** What went wrong, in words; nothing while nothing has. Small: where there is little room, as in a table. */
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
