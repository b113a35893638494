'use client';

import type { ReactNode } from 'react';
import { Link } from '@/i18n/navigation';

/** A link within a sentence. */
export const LINK_IN_TEXT = 'font-semibold text-text underline underline-offset-4';

/** Makes the link of a sentence, for `t.rich`. */
export const linkTo = (href: string) => (words: ReactNode) => (
  <Link href={href} prefetch={false} className={LINK_IN_TEXT}>
    {words}
  </Link>
);
