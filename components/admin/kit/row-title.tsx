import type { ReactNode } from 'react';
import { Link } from '@/i18n/navigation';

interface RowTitleProps {
  /** The page of what the row is about. */
  href: string;
  children: ReactNode;
}

/** Heads a row of a table with a link that is tall enough to be touched. */
export function RowTitle({ href, children }: RowTitleProps) {
  return (
    <th scope="row">
      <Link
        href={href}
        prefetch={false}
        className="inline-flex min-h-11 items-center font-medium underline-offset-4 hover:underline"
      >
        {children}
      </Link>
    </th>
  );
}
