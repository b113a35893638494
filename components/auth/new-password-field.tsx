'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { TextField } from '@/components/ui/field';
import { MIN_PASSWORD_LENGTH } from './check-credentials';
import { judgePassword, type PasswordVerdict } from './judge-password';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  error?: string | null;
  isRequired?: boolean;
}

const FILLED: Record<PasswordVerdict, number> = { short: 1, own: 1, simple: 1, fair: 2, good: 3 };

/** Asks for a new password, and says while it is typed how easily it is guessed. It refuses nothing: the server does. */
export function NewPasswordField({ label, name, error, isRequired = false }: NewPasswordFieldProps) {
  const t = useTranslations('Auth');
  const [verdict, setVerdict] = useState<PasswordVerdict | null>(null);
  return (
    <div className="grid gap-1.5">
      <TextField
        label={label}
        name={name}
        type="password"
        autoComplete="new-password"
        required={isRequired}
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={200}
        hint={t('passwordHint', { count: MIN_PASSWORD_LENGTH })}
        error={error}
        onInput={({ currentTarget: { value, form } }) =>
          setVerdict(value === '' ? null : judgePassword(value, accountIn(form)))
        }
      />
      {verdict ? (
        <div aria-hidden="true" className="grid grid-cols-3 gap-1">
          {[1, 2, 3].map((step) => (
            <span
              key={step}
              className={`h-1 rounded-full ${step <= FILLED[verdict] ? 'bg-text' : 'bg-line'}`}
            />
          ))}
        </div>
      ) : null}
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <p role="status" className="-mt-1.5 text-sm not-empty:mt-0">
        {verdict ? t(`strength.${verdict}`, { count: MIN_PASSWORD_LENGTH }) : null}
      </p>
    </div>
  );
}

/** Reads what the form around the field says of the account. */
function accountIn(form: HTMLFormElement | null): { email: string; name: string } {
  const data = form ? new FormData(form) : new FormData();
  const text = (name: string) => String(data.get(name) ?? '');
  return { email: text('email') || text('username'), name: text('name') };
}
