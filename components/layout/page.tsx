import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

const WIDTHS = { wide: 'max-w-6xl', text: 'max-w-2xl', form: 'max-w-md' } as const;

/** The page's main landmark, where the skip link leads. */
export function Page({ width = 'wide', children }: { width?: keyof typeof WIDTHS; children: ReactNode }) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className={cn('mx-auto px-4 py-6 outline-none sm:px-6 sm:py-10', WIDTHS[width])}
    >
      {children}
    </main>
  );
}
