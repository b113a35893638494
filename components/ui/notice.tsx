import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const noticeStyle = cva('flex gap-3 rounded-xl border px-4 py-3 text-base', {
  variants: {
    tone: {
      info: 'border-line bg-sunken text-text',
      warning: 'border-warning/40 bg-warning-soft text-warning',
      danger: 'border-danger/40 bg-danger-soft text-danger',
      success: 'border-success/40 bg-success-soft text-success',
    },
  },
  defaultVariants: { tone: 'info' },
});

const MARKS = { info: 'i', warning: '!', danger: '!', success: '✓' } as const;

type NoticeProps = ComponentProps<'div'> & VariantProps<typeof noticeStyle>;

/** Shows a sentence that needs attention. Its icon says the same as its colour. */
export function Notice({ tone, className, children, ...rest }: NoticeProps) {
  return (
    <div className={cn(noticeStyle({ tone }), className)} {...rest}>
      <span
        aria-hidden="true"
        className="mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full border border-current font-bold text-xs"
      >
        {MARKS[tone ?? 'info']}
      </span>
      <div className="wrap-anywhere min-w-0">{children}</div>
    </div>
  );
}
