'use client';

import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';

interface DataTableProps {
  /** What the columns hold; those of numbers stand to the right. */
  columns: readonly { label: string; isNumber?: boolean; isHidden?: boolean }[];
  /** The rows. */
  children: ReactNode;
}

/** The one look of the desk's tables; scrolls sideways where it must. */
export function DataTable({ columns, children }: DataTableProps) {
  return (
    <Card className="relative overflow-x-auto">
      <table className="w-full min-w-3xl border-collapse text-base">
        <thead className="border-line border-b text-muted text-sm">
          <tr>
            {columns.map(({ label, isNumber, isHidden }) => (
              <th
                key={label}
                scope="col"
                className={cn('px-4 py-3 align-middle', isNumber ? 'text-right' : 'text-left')}
              >
                {isHidden ? <span className="sr-only">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:px-4 [&_td]:py-3 [&_td]:align-top [&_th]:px-4 [&_th]:py-3 [&_th]:text-left [&_th]:align-top [&_th]:font-normal [&_tr:last-child]:border-0 [&_tr]:border-line [&_tr]:border-b">
          {children}
        </tbody>
      </table>
    </Card>
  );
}
