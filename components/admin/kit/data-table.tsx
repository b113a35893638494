'use client';

import type { CSSProperties, ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';

interface DataTableProps {
  /** The columns' labels. Columns of numbers are aligned right. A `className` applies to the head only. */
  columns: readonly { label: string; isNumber?: boolean; isHidden?: boolean; className?: string }[];
  /** Tells screen readers what the table lists, where no heading does. */
  caption?: string;
  /** Sets how narrow the table can become before it scrolls. */
  className?: string;
  /**
   * Stacks each row's cells below a laptop's width. `pairs` puts two cells side by side, where their contents are
   * short.
   */
  isStacked?: boolean | 'pairs';
  /** The rows. */
  children: ReactNode;
}

const ROWS = [
  '[&_tr]:border-line [&_tr]:border-b [&_tr:last-child]:border-0 [&_tr:hover]:bg-sunken',
  // Aligns everything in a row on one baseline: text, links of a finger's height, buttons.
  '[&_:is(td,th)]:px-3 [&_:is(td,th)]:py-3 [&_:is(td,th)]:align-baseline sm:[&_:is(td,th)]:px-4',
  '[&_th]:text-left [&_th]:font-normal',
];
const STACKED = [
  'max-lg:block max-lg:[&_tr]:block max-lg:[&_tr]:py-2',
  'max-lg:[&_:is(td,th)]:block max-lg:[&_:is(td,th)]:min-w-0 max-lg:[&_:is(td,th)]:py-1',
  'max-lg:[&_td]:whitespace-normal max-lg:[&_td]:text-left',
  // The table head is hidden then, so each cell shows the label of its column.
  'max-lg:[&_td]:before:mr-2 max-lg:[&_td]:before:text-muted max-lg:[&_td]:before:text-sm',
  'max-lg:[&_td:nth-child(1)]:before:content-[var(--column-1)]',
  'max-lg:[&_td:nth-child(2)]:before:content-[var(--column-2)]',
  'max-lg:[&_td:nth-child(3)]:before:content-[var(--column-3)]',
  'max-lg:[&_td:nth-child(4)]:before:content-[var(--column-4)]',
  'max-lg:[&_td:nth-child(5)]:before:content-[var(--column-5)]',
  'max-lg:[&_td:nth-child(6)]:before:content-[var(--column-6)]',
  'max-lg:[&_td:nth-child(7)]:before:content-[var(--column-7)]',
];
const PAIRS =
  'max-lg:[&_tr]:grid max-lg:[&_tr]:grid-cols-2 max-lg:[&_th]:col-span-2 max-lg:[&_td]:before:block';

/** Gives all tables of the admin area one look. Scrolls sideways where it must. */
export function DataTable({ columns, caption, className, isStacked = false, children }: DataTableProps) {
  return (
    <Card className="relative overflow-x-auto">
      <table
        className={cn(
          'w-full border-collapse text-base',
          isStacked && 'max-lg:block',
          className ?? (!isStacked && 'min-w-3xl'),
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
        <tbody
          style={isStacked ? labelsOf(columns) : undefined}
          className={cn(ROWS, isStacked && STACKED, isStacked === 'pairs' && PAIRS)}
        >
          {children}
        </tbody>
      </table>
    </Card>
  );
}

const labelsOf = (columns: DataTableProps['columns']) =>
  Object.fromEntries(
    columns.map(({ label, isHidden }, nr) => [
      `--column-${nr + 1}`,
      isHidden ? 'none' : JSON.stringify(label),
    ]),
  ) as CSSProperties;
