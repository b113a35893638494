'use client';

import type { ReactNode } from 'react';
import { Link } from '@/i18n/navigation';
import { LINK_IN_TEXT } from './link-style';

/** Makes the link of a sentence, for `t.rich`. */
export const linkTo = (href: string) => (words: ReactNode) => (
  <Link href={href} prefetch={false} className={LINK_IN_TEXT}>
    {words}
  </Link>
);
