import type { ReactNode } from 'react';

/** Tells what became of an action. It exists before its text does: otherwise screen readers would not announce the text. */
export const Said = ({ children }: { children: ReactNode }) => (
  <div role="status" className="empty:absolute">
    {children}
  </div>
);
