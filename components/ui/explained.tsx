'use client';

import { Popover } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { cn } from './cn';

interface ExplainedProps {
  /** The words with an explanation; pressing them opens it. */
  label: ReactNode;
  children: ReactNode;
  className?: string;
}

/** Renders words with an explanation behind them, for pointer, touch and keyboard. */
export function Explained({ label, children, className }: ExplainedProps) {
  const id = useId();
  return (
    <Popover.Root>
      <Popover.Trigger
        id={id}
        className={cn(
          'relative cursor-help text-left underline decoration-dotted decoration-from-font underline-offset-4',
          // Gives the words a target as large as a button's without taking its space.
          'after:absolute after:-inset-x-1 after:-inset-y-2.5',
          className,
        )}
      >
        {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-labelledby={id}
          collisionPadding={16}
          sideOffset={8}
          className="z-50 grid max-w-[min(22rem,calc(100vw-2rem))] gap-2 rounded-card border border-line bg-panel p-4 font-normal text-base text-text shadow-card"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
