'use client';

import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { answerByOwnPasskey, knowsPasskeys } from '@/components/auth/browser-passkey';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { linkTo } from '@/components/ui/link-to';
import { Problem } from '@/components/ui/problem';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { CodeField } from './code-field';

/** `appCode`: a code of the app that is being set up, where no recovery code will do. `name`: of a new passkey. */
export type FactorField = 'name' | 'currentPassword' | 'code' | 'appCode';
/** The fields as entered. A passkey may answer instead of a code. */
export type FactorFields = Record<FactorField, string> & { passkey?: PasskeyAnswer };

/** Returns the second factor that was given, as operations take it. */
export const factorOf = ({ code, passkey }: FactorFields): { code?: string; passkey?: PasskeyAnswer } =>
  passkey ? { passkey } : code === '' ? {} : { code };

/** Does something with the fields once they are filled in. */
export type FactorAction = Pick<
  UseMutationResult<unknown, unknown, FactorFields>,
  'mutate' | 'isPending' | 'error'
>;

interface FactorFormProps {
  /** The address of the account, for the browser's list of passwords. */
  email: string;
  asks: readonly FactorField[];
  label: string;
  /** A passkey of the account may answer instead of a code. */
  hasPasskey?: boolean;
  isDangerous?: boolean;
  action: FactorAction;
  /** Left out: the form stays where it is. Else a press has opened it, and it takes the focus. */
  onCancel?: () => void;
}

/** Asks for the password, a second factor, or both, and does something with them. */
export function FactorForm(props: FactorFormProps) {
  const { email, asks, label, hasPasskey = false, isDangerous = false, action, onCancel } = props;
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const form = useRef<HTMLFormElement>(null);
  const passkey = useMutation({ mutationFn: answerByOwnPasskey });
  const [missing, setMissing] = useState<readonly FactorField[]>([]);
  const fieldOf = (name: FactorField) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`);
  const isOpened = onCancel !== undefined;
  useEffect(() => {
    if (isOpened)
      form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus({ preventScroll: true });
  }, [isOpened]);
  /** Reads the fields, and leads to the first that is missing. */
  const read = (wanted: readonly FactorField[]): FactorFields | null => {
    const textOf = (name: FactorField) => fieldOf(name)?.value ?? '';
    const values = {
      name: textOf('name').trim(),
      currentPassword: textOf('currentPassword'),
      code: textOf('code').trim(),
      appCode: textOf('appCode').trim(),
    };
    const found = wanted.filter((name) => values[name] === '');
    setMissing(found);
    if (!found[0]) return values;
    fieldOf(found[0])?.focus();
    return null;
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    passkey.reset();
    const values = read(asks);
    if (values) action.mutate(values, { onError: wait.take });
  };
  const onPasskey = () => {
    const values = read(asks.filter((name) => name !== 'code'));
    if (!values) return;
    passkey.mutate(undefined, {
      onSuccess: (answer) => action.mutate({ ...values, passkey: answer }, { onError: wait.take }),
    });
  };
  const error = passkey.error ?? action.error;
  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <Problem error={besidesWait(error)} />
      {problemCode(error) === 'ADDRESS_UNVERIFIED' ? (
        <p>{t.rich('verifyFirst', { link: linkTo('/verify-email') })}</p>
      ) : null}
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <FactorInputs email={email} asks={asks} missing={missing} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          tone={isDangerous ? 'danger' : 'primary'}
          isBusy={action.isPending}
          disabled={wait.leftMs > 0}
        >
          {label}
        </Button>
        {hasPasskey && asks.includes('code') && knowsPasskeys() ? (
          <Button isBusy={passkey.isPending} disabled={wait.leftMs > 0} onClick={onPasskey}>
            {t('withPasskey')}
          </Button>
        ) : null}
        {onCancel ? <Button onClick={onCancel}>{t('cancel')}</Button> : null}
      </div>
    </form>
  );
}

interface FactorInputsProps extends Pick<FactorFormProps, 'email' | 'asks'> {
  missing: readonly FactorField[];
}

/** The fields that are asked for. */
function FactorInputs({ email, asks, missing }: FactorInputsProps) {
  const t = useTranslations('Account');
  const auth = useTranslations('Auth');
  const errorOf = (name: FactorField, words: string) => (missing.includes(name) ? words : null);
  return (
    <>
      {asks.includes('name') ? (
        <TextField
          label={t('passkeyName')}
          name="name"
          autoComplete="off"
          maxLength={60}
          hint={t('passkeyNameHint')}
          error={errorOf('name', t('passkeyNameMissing'))}
        />
      ) : null}
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
    </>
  );
}
