'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { later } from '@/components/ui/later';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Factors } from '@/lib/contract/shapes/factor';
import { type FactorFields, FactorForm } from './factor-form';
import { NewCodes } from './new-codes';

/** Draws a QR code, which few visitors of the page need. */
const TotpSecret = later(async () => (await import('./totp-secret')).TotpSecret);

/** The password is hashed slowly. */
const WITHIN_MS = 20_000;

type Action = 'setUp' | 'renew' | 'remove';
type Done = { says: 'factorAdded' | 'codesRenewed' | 'factorRemoved'; codes?: readonly string[] };

interface ActionProps {
  email: string;
  onDone: (done: Done) => void;
  onCancel: () => void;
}

/** Sets up an app for one-time codes, shows new recovery codes once, and turns the app off. */
export function SecondFactor({ email }: { email: string }) {
  const t = useTranslations('Account');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const [action, setAction] = useState<Action>();
  const [done, setDone] = useState<Done>();
  const { data, error, refetch } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    staleTime: 0,
  });
  const onDone = (what: Done) => {
    setDone(what);
    setAction(undefined);
    for (const name of ['factors', 'sessions']) void client.refetchQueries({ queryKey: [name] });
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
  const props = { email, onDone, onCancel };
  const codes = done?.codes;
  // Each of them takes the buttons of the one before with it.
  const focus = useKeptFocus(`${action} ${codes?.length} ${data?.totp?.addedAt}`);
  return (
    <section aria-labelledby="factor" className="grid gap-5">
      <h2 id="factor" className="font-semibold text-xl">
        {t('factor')}
      </h2>
      <Problem error={error} />
      <div role="status" className="empty:absolute">
        {done ? <Notice tone="success">{t(done.says)}</Notice> : null}
      </div>
      <div {...focus} tabIndex={-1} className="grid gap-5 outline-none">
        {codes ? <NewCodes codes={codes} onKept={() => setDone(undefined)} /> : null}
        {data && !codes && !action ? <Standing factors={data} onStart={start} /> : null}
        {!data && error ? <Button onClick={() => void refetch()}>{common('retry')}</Button> : null}
        {action === 'setUp' ? <SetUp {...props} /> : null}
        {action === 'renew' ? <Renew {...props} /> : null}
        {action === 'remove' ? <Remove {...props} /> : null}
      </div>
    </section>
  );
}

/** Says how the account stands, and offers what can be changed. */
function Standing({ factors, onStart }: { factors: Factors; onStart: (action: Action) => void }) {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const { totp, recoveryCodesLeft } = factors;
  if (!totp)
    return (
      <>
        <p className="text-muted">{t('factorOff')}</p>
        <Button className="justify-self-start" onClick={() => onStart('setUp')}>
          {t('setUp')}
        </Button>
      </>
    );
  return (
    <>
      <p>{t('factorOn', { since: localDate(totp.addedAt) })}</p>
      <p className={recoveryCodesLeft === 0 ? 'text-danger' : 'text-muted'}>
        {t('codesLeft', { count: recoveryCodesLeft })}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => onStart('renew')}>{t('renew')}</Button>
        <Button tone="danger" onClick={() => onStart('remove')}>
          {t('remove')}
        </Button>
      </div>
    </>
  );
}

function SetUp({ email, onDone, onCancel }: ActionProps) {
  const t = useTranslations('Account');
  const begin = useMutation({
    mutationFn: ({ currentPassword }: FactorFields) =>
      request('POST /api/account/factors/totp', { body: { currentPassword }, timeoutMs: WITHIN_MS }),
  });
  const confirm = useMutation({
    mutationFn: ({ appCode }: FactorFields) =>
      request('POST /api/account/factors/totp/confirm', { body: { code: appCode } }),
    onSuccess: ({ recoveryCodes }) => onDone({ says: 'factorAdded', codes: recoveryCodes }),
  });
  const common = { email, onCancel };
  if (!begin.data)
    return (
      <FactorForm {...common} key="begin" asks={['currentPassword']} label={t('setUp')} action={begin} />
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

function Renew({ onDone, ...common }: ActionProps) {
  const t = useTranslations('Account');
  const renew = useMutation({
    mutationFn: ({ code }: FactorFields) =>
      request('POST /api/account/factors/recovery-codes', { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onDone({ says: 'codesRenewed', codes: recoveryCodes }),
  });
  return (
    <>
      <p className="text-muted">{t('renewText')}</p>
      <FactorForm {...common} asks={['code']} label={t('renew')} action={renew} />
    </>
  );
}

function Remove({ onDone, ...common }: ActionProps) {
  const t = useTranslations('Account');
  const remove = useMutation({
    mutationFn: ({ currentPassword, code }: FactorFields) =>
      request('POST /api/account/factors/totp/remove', {
        body: { currentPassword, code },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: () => onDone({ says: 'factorRemoved' }),
  });
  return (
    <>
      <p className="text-muted">{t('removeText')}</p>
      <FactorForm
        {...common}
        asks={['currentPassword', 'code']}
        label={t('remove')}
        action={remove}
        isDangerous
      />
    </>
  );
}
