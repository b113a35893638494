'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { TextField } from '@/components/ui/field';
import { type Ease, easeOf, type Owner } from '@/lib/account/easy-password';
import { MIN_PASSWORD_LENGTH } from './check-credentials';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  error?: string | null;
}

/**
 * Asks for a new password. While it is typed, says why others would guess it. Whether it is a common one, the server
 * says: its list weighs more than the page.
 */
export function NewPasswordField({ label, name, error }: NewPasswordFieldProps) {
  const t = useTranslations('Auth');
  const [ease, setEase] = useState<Ease | null>(null);
  return (
    <div className="grid gap-1.5">
      <TextField
        label={label}
        name={name}
        type="password"
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD_LENGTH}
        maxLength={200}
        hint={t('passwordHint', { count: MIN_PASSWORD_LENGTH })}
        error={error}
        onInput={({ currentTarget: { value, form } }) =>
          setEase(value.length < MIN_PASSWORD_LENGTH ? null : easeOf(value, ownerIn(form)))
        }
      />
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <p role="status" className="text-danger text-sm empty:absolute">
        {ease ? t(`ease.${ease}`) : null}
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
