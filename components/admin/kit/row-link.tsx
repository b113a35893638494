import type { ReactNode } from 'react';
import { Link } from '@/i18n/navigation';

/** The head of a table's row: leads to the page of what the row shows. */
export const RowLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <th scope="row">
    <Link
      href={href}
      prefetch={false}
      className="inline-flex min-h-11 items-center font-medium underline-offset-4 hover:underline"
    >
      <bdi>{children}</bdi>
    </Link>
  </th>
);
