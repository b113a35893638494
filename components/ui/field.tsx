'use client';

import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn';

const CONTROL = [
  'w-full rounded-xl border border-control bg-panel px-3 text-base text-text',
  'placeholder:text-muted aria-invalid:border-danger',
].join(' ');

interface Common {
  label: string;
  hint?: string;
  error?: string | null;
}

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** Ties label, control, hint and error together for assistive technology. */
function Labelled({ label, hint, error, children }: Common & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const hintId = hint && !error ? `${id}-hint` : '';
  const errorId = error ? `${id}-error` : '';
  const describedBy = [errorId, hintId].filter(Boolean).join(' ');
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <p id={errorId} className="text-danger text-sm">
          {error}
        </p>
      ) : null}
      {hintId ? (
        <p id={hintId} className="text-muted text-sm">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export function TextField({ label, hint, error, className, ...rest }: Common & ComponentProps<'input'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(wiring) => <input className={cn(CONTROL, 'min-h-11', className)} {...rest} {...wiring} />}
    </Labelled>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  className,
  ...rest
}: Common & ComponentProps<'textarea'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(wiring) => <textarea className={cn(CONTROL, 'min-h-24 py-2', className)} {...rest} {...wiring} />}
    </Labelled>
  );
}

export function SelectField({ label, hint, error, className, ...rest }: Common & ComponentProps<'select'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(wiring) => <select className={cn(CONTROL, 'min-h-11', className)} {...rest} {...wiring} />}
    </Labelled>
  );
}
