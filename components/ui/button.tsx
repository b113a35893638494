import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from './cn';

/** Styles everything that can be pressed, links included. Touch targets are at least 44 px. */
export const buttonStyle = cva(
  [
    'inline-flex min-w-0 select-none items-center justify-center gap-2 rounded-xl border px-5 text-center font-semibold',
    'transition-colors aria-disabled:cursor-not-allowed',
    // While busy, a line runs along under the label, in the same box.
    'relative data-busy:cursor-progress data-busy:after:absolute data-busy:after:inset-x-4 data-busy:after:bottom-1.5',
    'data-busy:after:h-0.5 data-busy:after:rounded-full data-busy:after:bg-current',
  ],
  {
    variants: {
      tone: {
        primary: [
          'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
          'aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-muted',
        ],
        quiet: 'border-line bg-panel text-text hover:bg-sunken aria-disabled:text-muted',
        danger:
          'border-danger bg-panel text-danger hover:bg-danger-soft aria-disabled:border-line aria-disabled:text-muted',
        success: 'border-success bg-success-soft text-success hover:bg-panel',
        plain: 'border-transparent bg-transparent text-text hover:bg-sunken aria-disabled:text-muted',
      },
      size: {
        md: 'min-h-11 text-base',
        lg: 'min-h-14 text-lg',
      },
    },
    defaultVariants: { tone: 'quiet', size: 'md' },
  },
);

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonStyle> & {
    /** The action it started is under way. */
    isBusy?: boolean;
  };

/**
 * Renders a button that ignores presses while it is busy or disabled. It keeps the keyboard's focus then, which
 * browsers take away from disabled controls, each in its own way: a visitor without a mouse would start again at the
 * top of the page.
 */
export function Button({
  tone,
  size,
  className,
  type = 'button',
  isBusy = false,
  disabled = false,
  onClick,
  ...rest
}: ButtonProps) {
  const isOff = disabled || isBusy;
  return (
    <button
      type={type}
      // The keyboard cannot reach a disabled button, but a focus already there stays.
      tabIndex={disabled ? -1 : undefined}
      className={cn(buttonStyle({ tone, size }), className)}
      {...rest}
      data-busy={isBusy || undefined}
      aria-disabled={isOff || undefined}
      onClick={isOff ? ignore : onClick}
    />
  );
}

/** Also prevents the form from being sent: Return in a field presses the form's button. */
const ignore = (event: MouseEvent) => event.preventDefault();
