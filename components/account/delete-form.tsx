'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { tellTabs } from '@/components/session/other-tabs';
import { useForgetVisitor } from '@/components/session/use-sign-out';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { CodeField } from './code-field';

/** The password is checked by a slow hash. */
const DELETE_WITHIN_MS = 20_000;
/** Nothing else in the account needs another look after these. */
const OF_THE_FORM = ['PASSWORD_WRONG', 'RATE_LIMITED'];

type DeleteFormProps = {
  /** For the browser's list of passwords. */
  email: string;
  /** Asks for a code of the second factor, too. */
  needsCode: boolean;
  onDeleted: () => void;
  /** Called when something is in the way that was not before. */
  onRefused: () => void;
};

/** Deletes the visitor's account, by its password and perhaps a code, after asking again. */
export function DeleteForm({ email, needsCode, onDeleted, onRefused }: DeleteFormProps) {
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const [isAsked, setAsked] = useState(false);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const missing = password === '' ? 'password' : needsCode && code.trim() === '' ? 'code' : null;
  const remove = useDeletion({ onDeleted, onRefused, onError: wait.take });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    if (missing) form.current?.querySelector<HTMLInputElement>(`[name="${missing}"]`)?.focus();
  };

  // Return in the field presses this button, too: nothing is deleted before the dialog has asked.
  const press = (
    <Button
      type="submit"
      tone="danger"
      className="justify-self-start"
      isBusy={remove.isPending}
      disabled={wait.leftMs > 0}
    >
      {t('deletePress')}
    </Button>
  );
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <input type="email" name="username" autoComplete="username" defaultValue={email} hidden />
      <Problem error={besidesWait(remove.error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <TextField
        label={t('deletePassword')}
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isAsked && password === '' ? auth('passwordMissing') : undefined}
      />
      {needsCode ? (
        <CodeField
          label={t('deleteCode')}
          name="code"
          hint={t('codeHint')}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isAsked && code.trim() === '' ? t('codeMissing') : null}
        />
      ) : null}
      {missing ? (
        press
      ) : (
        <ConfirmDialog
          trigger={press}
          title={t('deleteTitle')}
          text={t('deleteAsk', { email })}
          confirmLabel={t('deletePress')}
          keepLabel={t('deleteKeep')}
          isDangerous
          onConfirm={() => remove.mutate({ currentPassword: password, ...(needsCode ? { code } : {}) })}
        />
      )}
    </form>
  );
}

/** Deletes the account, and makes this browser and its other tabs forget who was signed in. */
function useDeletion({
  onDeleted,
  onRefused,
  onError,
}: Pick<DeleteFormProps, 'onDeleted' | 'onRefused'> & { onError: (error: Error) => void }) {
  const forget = useForgetVisitor();
  return useMutation({
    mutationFn: (body: { currentPassword: string; code?: string }) =>
      request('POST /api/account/deletion', { body, timeoutMs: DELETE_WITHIN_MS }),
    onSuccess: async () => {
      onDeleted();
      tellTabs('signed-out');
      await forget();
    },
    onError: (error) => {
      onError(error);
      if (!OF_THE_FORM.includes(problemCode(error) ?? '')) onRefused();
    },
  });
}
