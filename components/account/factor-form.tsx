'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { askOwnPasskey } from '@/components/passkey/ask-own-passkey';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';

type Field = 'currentPassword' | 'code';
/** Without the fields that were not asked for; a passkey may answer in place of a code. */
export type GivenFactor = { currentPassword: string; code?: string; passkey?: PasskeyAnswer };
const SHORTEST_CODE = 6;

interface FactorFormProps {
  /** The fields to ask for. */
  asks: readonly Field[];
  label: string;
  action: { mutate: (given: GivenFactor) => void; isPending: boolean; error: unknown };
  /** Whether the account has a passkey that may answer in place of a code. */
  hasPasskey?: boolean;
  isDangerous?: boolean;
  onCancel?: () => void;
}

/** Asks for the password, a code, or both, before something about the second factor is done. */
export function FactorForm(props: FactorFormProps) {
  const { asks, label, action, hasPasskey = false, isDangerous = false, onCancel } = props;
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Partial<Record<Field, string>>>({});
  const passkey = useMutation({ mutationFn: askOwnPasskey });
  const error = passkey.error ?? action.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wait begins with its error, and once
  useEffect(() => wait.take(error), [error]);

  /** Checks the fields; the first one with a problem gets the focus. */
  const read = (wanted: readonly Field[]) => {
    const data = new FormData(form.current ?? undefined);
    const currentPassword = String(data.get('currentPassword') ?? '');
    const code = String(data.get('code') ?? '').trim();
    const found: typeof problems = {};
    if (wanted.includes('currentPassword') && currentPassword === '')
      found.currentPassword = auth('passwordMissing');
    if (wanted.includes('code') && code.length < SHORTEST_CODE) found.code = t('codeMissing');
    setProblems(found);
    const [first] = Object.keys(found);
    if (!first) return { currentPassword, code };
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    return null;
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    passkey.reset();
    const given = read(asks);
    if (given) action.mutate(given);
  };
  const onPasskey = () => {
    const given = read(asks.filter((field) => field !== 'code'));
    if (!given) return;
    const { currentPassword } = given;
    passkey.mutate(undefined, { onSuccess: (answer) => action.mutate({ currentPassword, passkey: answer }) });
  };
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <Problem error={besidesWait(error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      {asks.includes('currentPassword') ? (
        <TextField
          label={t('currentPassword')}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          maxLength={200}
          error={problems.currentPassword}
        />
      ) : null}
      {asks.includes('code') ? (
        <TextField
          label={t('code')}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          error={problems.code}
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
        {hasPasskey && asks.includes('code') ? (
          <Button isBusy={passkey.isPending} disabled={wait.leftMs > 0} onClick={onPasskey}>
            {t('withPasskey')}
          </Button>
        ) : null}
        {onCancel ? <Button onClick={onCancel}>{t('cancel')}</Button> : null}
      </div>
    </form>
  );
}
