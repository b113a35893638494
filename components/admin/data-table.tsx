'use client';

import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';

interface DataTableProps {
  /** What the columns hold; those of numbers stand to the right. A `className` goes to the head only. */
  columns: readonly { label: string; isNumber?: boolean; isHidden?: boolean; className?: string }[];
  /** What it lists, for screen readers, where no heading says so. */
  caption?: string;
  /** How narrow the table may become before it scrolls. */
  className?: string;
  /** Below a laptop's width each row's cells stand below one another. */
  isStacked?: boolean;
  /** The rows. */
  children: ReactNode;
}

const ROWS = [
  '[&_tr]:border-line [&_tr]:border-b [&_tr:last-child]:border-0 [&_tr:hover]:bg-sunken',
  // On one line whatever they hold: text, a link of a finger's height, a button.
  '[&_:is(td,th)]:px-3 [&_:is(td,th)]:py-3 [&_:is(td,th)]:align-baseline sm:[&_:is(td,th)]:px-4',
  '[&_th]:text-left [&_th]:font-normal',
];
const STACKED = [
  'max-lg:block max-lg:[&_tr]:block max-lg:[&_tr]:py-2',
  'max-lg:[&_:is(td,th)]:block max-lg:[&_:is(td,th)]:py-1',
];

/** The one look of the desk's tables; scrolls sideways where it must. */
export function DataTable({ columns, caption, className, isStacked = false, children }: DataTableProps) {
  return (
    <Card className="relative overflow-x-auto">
      <table
        className={cn(
          'w-full border-collapse text-base',
          isStacked ? 'max-lg:block' : 'min-w-3xl',
          className,
        )}
      >
        {caption ? <caption className="sr-only">{caption}</caption> : null}
        <thead className={cn('border-line border-b text-muted text-sm', isStacked && 'max-lg:sr-only')}>
          <tr>
            {columns.map(({ label, isNumber, isHidden, className: head }) => (
              <th
                key={label}
                scope="col"
                className={cn('px-3 py-3 align-middle sm:px-4', isNumber ? 'text-right' : 'text-left', head)}
              >
                {isHidden ? <span className="sr-only">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={cn(ROWS, isStacked && STACKED)}>{children}</tbody>
      </table>
    </Card>
  );
}
