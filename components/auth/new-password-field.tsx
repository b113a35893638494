'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { TextField } from '@/components/ui/field';
import { type Ease, easeOf, type Owner } from '@/lib/account/easy-password';
import { MIN_PASSWORD_LENGTH } from './check-credentials';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  error?: string | null;
  /** Why the server refused the form, if it did. The field says it if its password is too easy to guess. */
  refusal: unknown;
}

const isTooEasy = (refusal: unknown): boolean => problemCode(refusal) === 'PASSWORD_GUESSABLE';

/** Returns the errors that a form has to put into words: the field says that its password is too easy to guess. */
export const besidesEase = (error: unknown): unknown => (isTooEasy(error) ? null : error);

/**
 * Asks for a new password. While it is typed, says why others would guess it. Whether it is a common one, the server
 * says: its list weighs more than the page.
 */
export function NewPasswordField({ label, name, error, refusal }: NewPasswordFieldProps) {
  const t = useTranslations('Auth');
  const problems = useTranslations('Errors');
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<{ ease: Ease | null; after: unknown }>({ ease: null, after: null });
  const isRefused = isTooEasy(refusal) && refusal !== typed.after;
  const why = typed.ease ? t(`ease.${typed.ease}`) : null;
  useEffect(() => {
    if (isRefused) input.current?.focus();
  }, [isRefused]);
  return (
    <div className="grid gap-1.5">
      <TextField
        ref={input}
        label={label}
        name={name}
        type="password"
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={200}
        hint={t('passwordHint', { count: MIN_PASSWORD_LENGTH })}
        error={isRefused ? (why ?? problems('PASSWORD_GUESSABLE')) : error}
        onInput={({ currentTarget: { value, form } }) =>
          setTyped({
            ease: value.length < MIN_PASSWORD_LENGTH ? null : easeOf(value, ownerIn(form)),
            after: refusal,
          })
        }
      />
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <p role="status" className="text-danger text-sm empty:absolute">
        {isRefused ? null : why}
      </p>
    </div>
  );
}

/** Reads what the form around the field says about the account. */
function ownerIn(form: HTMLFormElement | null): Owner {
  const data = form ? new FormData(form) : new FormData();
  const text = (name: string) => String(data.get(name) ?? '');
  return { email: text('email') || text('username'), name: text('name') };
}
