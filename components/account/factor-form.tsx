'use client';

import type { UseMutationResult } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { CodeField } from './code-field';

/** `appCode`: a code of the app that is being set up, where no recovery code will do. */
export type FactorField = 'currentPassword' | 'code' | 'appCode';
export type FactorFields = Record<FactorField, string>;

interface FactorFormProps {
  /** The address of the account, for the browser's list of passwords. */
  email: string;
  asks: readonly FactorField[];
  label: string;
  isDangerous?: boolean;
  action: Pick<UseMutationResult<unknown, unknown, FactorFields>, 'mutate' | 'isPending' | 'error'>;
  onCancel: () => void;
}

/** Asks for the password, a code, or both, and does something with them. */
export function FactorForm({ email, asks, label, isDangerous = false, action, onCancel }: FactorFormProps) {
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly FactorField[]>([]);
  const fieldOf = (name: FactorField) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`);
  // It appears because the visitor pressed a button, which it replaces.
  useEffect(
    () =>
      form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus({ preventScroll: true }),
    [],
  );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const textOf = (name: FactorField) => fieldOf(name)?.value ?? '';
    const values = {
      currentPassword: textOf('currentPassword'),
      code: textOf('code').trim(),
      appCode: textOf('appCode').trim(),
    };
    const found = asks.filter((name) => values[name] === '');
    setMissing(found);
    if (found[0]) fieldOf(found[0])?.focus();
    else action.mutate(values, { onError: wait.take });
  };
  const errorOf = (name: FactorField, words: string) => (missing.includes(name) ? words : null);
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <Problem error={besidesWait(action.error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      {asks.includes('currentPassword') ? (
        <>
          <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
          <TextField
            label={t('yourPassword')}
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            maxLength={200}
            error={errorOf('currentPassword', auth('passwordMissing'))}
          />
        </>
      ) : null}
      {asks.includes('code') ? (
        <CodeField
          label={t('code')}
          name="code"
          hint={t('codeHint')}
          error={errorOf('code', t('codeMissing'))}
        />
      ) : null}
      {asks.includes('appCode') ? (
        <CodeField
          label={t('code')}
          name="appCode"
          inputMode="numeric"
          error={errorOf('appCode', t('appCodeMissing'))}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          tone={isDangerous ? 'danger' : 'primary'}
          isBusy={action.isPending}
          disabled={wait.leftMs > 0}
        >
          {label}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}
