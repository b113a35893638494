'use client';

import { type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button';

interface OpenRowProps {
  /** The cells before the one with the button. */
  cells: ReactNode;
  /** How many these are. */
  count: number;
  /** The button's text, and its name, which says what the row is. */
  label: string;
  name: string;
  /** Opens below the row. Null: there is nothing to manage. */
  children: ReactNode;
}

/** A table's row whose button opens a form below it. */
export function OpenRow({ cells, count, label, name, children }: OpenRowProps) {
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <tr>
        {cells}
        <td>
          {children ? (
            <Button
              aria-expanded={isOpen}
              aria-controls={formId}
              aria-label={name}
              onClick={() => setIsOpen(!isOpen)}
            >
              {label}
            </Button>
          ) : null}
        </td>
      </tr>
      {isOpen && children ? (
        <tr className="bg-sunken">
          <td id={formId} colSpan={count + 1}>
            {children}
          </td>
        </tr>
      ) : null}
    </>
  );
}
