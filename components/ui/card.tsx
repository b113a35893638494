import type { ComponentProps } from 'react';
import { cn } from './cn';

/** Renders the only kind of raised surface. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('rounded-card border border-line bg-panel shadow-card', className)} {...rest} />;
}
