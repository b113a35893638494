'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';

type Given = { name: string; currentPassword: string };

interface NewPasskeyFormProps {
  action: { mutate: (given: Given) => void; isPending: boolean; error: unknown };
  onCancel: () => void;
}

/** Asks for a name and the password before the visitor's device makes a passkey. */
export function NewPasskeyForm({ action, onCancel }: NewPasskeyFormProps) {
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Partial<Given>>({});
  const { error } = action;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wait begins with its error, and once
  useEffect(() => wait.take(error), [error]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const name = String(data.get('name')).trim();
    const currentPassword = String(data.get('currentPassword'));
    const found: Partial<Given> = {};
    if (name === '') found.name = t('passkeyNameMissing');
    if (currentPassword === '') found.currentPassword = auth('passwordMissing');
    setProblems(found);
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    else action.mutate({ name, currentPassword });
  };
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <Problem error={besidesWait(error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <TextField
        label={t('passkeyName')}
        name="name"
        autoComplete="off"
        maxLength={60}
        hint={t('passkeyNameHint')}
        error={problems.name}
      />
      <TextField
        label={t('currentPassword')}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        error={problems.currentPassword}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" isBusy={action.isPending} disabled={wait.leftMs > 0}>
          {t('addPasskey')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}
