import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

const WIDTHS = {
  wide: 'max-w-6xl py-6 sm:py-10',
  text: 'max-w-2xl py-6 sm:py-10',
  form: 'max-w-md py-6 sm:py-10',
  /** Shows as much as fits on a screen without scrolling. */
  admin: 'max-w-6xl py-4',
} as const;

/** Renders the page's main landmark, the target of the skip link. */
export function Page({ width = 'wide', children }: { width?: keyof typeof WIDTHS; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={cn('mx-auto px-4 outline-none sm:px-6', WIDTHS[width])}>
      {children}
    </main>
  );
}
