import type { ComponentProps } from 'react';
import { cn } from './cn';

/** The one kind of raised surface there is. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('rounded-card border border-line bg-panel shadow-card', className)} {...rest} />;
}
