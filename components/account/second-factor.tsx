'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Factors } from '@/lib/contract/shapes/factor';
import type { PasskeyView } from '@/lib/contract/shapes/passkey';
import { type FactorActionProps, type FactorChange, hasAnyFactor, WITHIN_MS } from './factor-action';
import { type FactorFields, FactorForm, factorOf } from './factor-form';
import { NewCodes } from './new-codes';
import { AddPasskey, Passkeys, RemovePasskey } from './passkeys';

/** Draws a QR code, which few visitors of the page need. */
const TotpSecret = later(async () => (await import('./totp-secret')).TotpSecret);

type Action = 'setUp' | 'renew' | 'removeApp' | 'addPasskey' | PasskeyView;

/** Adds and removes passkeys and an app for one-time codes, and shows new recovery codes once. */
export function SecondFactor({ email }: { email: string }) {
  const t = useTranslations('Account');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const [action, setAction] = useState<Action>();
  const [done, setDone] = useState<FactorChange>();
  const { data, error, refetch } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    staleTime: 0,
  });
  const onDone = (what: FactorChange) => {
    setDone(what);
    setAction(undefined);
    for (const name of ['factors', 'sessions', 'session']) void client.refetchQueries({ queryKey: [name] });
  };
  const start = (next: Action) => {
    setDone(undefined);
    setAction(next);
  };
  const onCancel = () => {
    setAction(undefined);
    // It may be done although its answer was lost.
    void refetch();
  };
  const codes = done?.codes?.length ? done.codes : null;
  // Each of them takes the buttons of the one before with it.
  const focus = useKeptFocus(JSON.stringify([action, codes, data?.totp, data?.passkeys.length]));
  return (
    <section aria-labelledby="factor" className="grid gap-5">
      <h2 id="factor" className="font-semibold text-xl">
        {t('factor')}
      </h2>
      <Problem error={error} />
      <Said>{done ? <Notice tone="success">{t(done.says)}</Notice> : null}</Said>
      <div {...focus} tabIndex={-1} className="grid gap-5 outline-none">
        {codes ? <NewCodes codes={codes} onKept={() => setDone(undefined)} /> : null}
        {data && !codes && !action ? <Standing factors={data} onStart={start} /> : null}
        {!data && error ? <Button onClick={() => void refetch()}>{common('retry')}</Button> : null}
        {data && action ? (
          <UnderWay action={action} email={email} factors={data} onDone={onDone} onCancel={onCancel} />
        ) : null}
      </div>
    </section>
  );
}

function UnderWay({ action, ...props }: FactorActionProps & { action: Action }) {
  switch (action) {
    case 'setUp':
      return <SetUp {...props} />;
    case 'renew':
      return <Renew {...props} />;
    case 'removeApp':
      return <RemoveApp {...props} />;
    case 'addPasskey':
      return <AddPasskey {...props} />;
    default:
      return <RemovePasskey {...props} passkey={action} />;
  }
}

/** Says how the account stands, and offers what can be changed. */
function Standing({ factors, onStart }: { factors: Factors; onStart: (action: Action) => void }) {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const { totp, passkeys, recoveryCodesLeft } = factors;
  return (
    <>
      {totp ? (
        <p>{t('factorOn', { since: localDate(totp.addedAt) })}</p>
      ) : (
        <p className="text-muted">{t(hasAnyFactor(factors) ? 'factorPasskeys' : 'factorOff')}</p>
      )}
      {hasAnyFactor(factors) ? (
        <p className={recoveryCodesLeft === 0 ? 'text-danger' : 'text-muted'}>
          {t('codesLeft', { count: recoveryCodesLeft })}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {totp ? null : <Button onClick={() => onStart('setUp')}>{t('setUp')}</Button>}
        {hasAnyFactor(factors) ? <Button onClick={() => onStart('renew')}>{t('renew')}</Button> : null}
        {totp ? (
          <Button tone="danger" onClick={() => onStart('removeApp')}>
            {t(passkeys.length > 0 ? 'removeApp' : 'remove')}
          </Button>
        ) : null}
      </div>
      <Passkeys passkeys={passkeys} onAdd={() => onStart('addPasskey')} onRemove={onStart} />
    </>
  );
}

function SetUp({ factors, onDone, ...common }: FactorActionProps) {
  const t = useTranslations('Account');
  const begin = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/factors/totp', {
        body: { currentPassword: given.currentPassword, ...factorOf(given) },
        timeoutMs: WITHIN_MS,
      }),
  });
  const confirm = useMutation({
    mutationFn: ({ appCode }: FactorFields) =>
      request('POST /api/account/factors/totp/confirm', { body: { code: appCode } }),
    onSuccess: ({ recoveryCodes }) => onDone({ says: 'factorAdded', codes: recoveryCodes }),
  });
  if (!begin.data)
    return (
      <FactorForm
        {...common}
        key="begin"
        asks={hasAnyFactor(factors) ? ['currentPassword', 'code'] : ['currentPassword']}
        hasPasskey={factors.passkeys.length > 0}
        label={t('setUp')}
        action={begin}
      />
    );
  return (
    <>
      <Suspense>
        <TotpSecret {...begin.data} />
      </Suspense>
      <FactorForm {...common} key="confirm" asks={['appCode']} label={t('confirm')} action={confirm} />
    </>
  );
}

function Renew({ factors, onDone, ...common }: FactorActionProps) {
  const t = useTranslations('Account');
  const renew = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/factors/recovery-codes', { body: factorOf(given) }),
    onSuccess: ({ recoveryCodes }) => onDone({ says: 'codesRenewed', codes: recoveryCodes }),
  });
  return (
    <>
      <p className="text-muted">{t('renewText')}</p>
      <FactorForm
        {...common}
        asks={['code']}
        hasPasskey={factors.passkeys.length > 0}
        label={t('renew')}
        action={renew}
      />
    </>
  );
}

function RemoveApp({ factors, onDone, ...common }: FactorActionProps) {
  const t = useTranslations('Account');
  const hasPasskey = factors.passkeys.length > 0;
  const remove = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/factors/totp/remove', {
        body: { currentPassword: given.currentPassword, ...factorOf(given) },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: () => onDone({ says: hasPasskey ? 'appRemoved' : 'factorRemoved' }),
  });
  return (
    <>
      <p className="text-muted">{t(hasPasskey ? 'removeAppText' : 'removeText')}</p>
      <FactorForm
        {...common}
        asks={['currentPassword', 'code']}
        hasPasskey={hasPasskey}
        label={t(hasPasskey ? 'removeApp' : 'remove')}
        action={remove}
        isDangerous
      />
    </>
  );
}
