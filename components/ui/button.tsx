import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

/** The look of everything that can be pressed, links included. Touch targets are 44 px at least. */
export const buttonStyle = cva(
  [
    'inline-flex min-w-0 select-none items-center justify-center gap-2 rounded-xl border px-5 text-center font-semibold',
    'transition-colors disabled:cursor-not-allowed aria-disabled:cursor-not-allowed',
  ],
  {
    variants: {
      tone: {
        primary: [
          'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
          'disabled:border-line disabled:bg-sunken disabled:text-muted',
        ],
        quiet: 'border-line bg-panel text-text hover:bg-sunken disabled:text-muted',
        danger:
          'border-danger bg-panel text-danger hover:bg-danger-soft disabled:border-line disabled:text-muted',
        success: 'border-success bg-success-soft text-success hover:bg-panel',
        plain: 'border-transparent bg-transparent text-text hover:bg-sunken disabled:text-muted',
      },
      size: {
        md: 'min-h-11 text-base',
        lg: 'min-h-14 text-lg',
      },
    },
    defaultVariants: { tone: 'quiet', size: 'md' },
  },
);

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonStyle>;

export function Button({ tone, size, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={cn(buttonStyle({ tone, size }), className)} {...rest} />;
}
