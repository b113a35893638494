'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import { FactorForm, type GivenFactor } from './factor-form';
import { NewCodes } from './new-codes';
import { TotpSecret } from './totp-secret';
import { useRefreshFactors } from './use-refresh-factors';

/** The password is hashed slowly. */
const WITHIN_MS = 20_000;

/** What is offered without an app, with one, and with passkeys alone. */
const OFFERED = { off: ['setUp'], on: ['renew', 'remove'], passkeys: ['setUp', 'renew'] } as const;
type Action = (typeof OFFERED)[keyof typeof OFFERED][number];

/** Sets up an app for one-time codes, shows new recovery codes once, and removes the app. */
export function SecondFactor() {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const [shownCodes, setShownCodes] = useState<readonly string[]>();
  /** Whose fields are open: the page asks for nothing before it is wanted. */
  const [asked, setAsked] = useState<Action>();
  const { data, error } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    staleTime: 0,
  });
  const refresh = useRefreshFactors();
  const begin = useMutation({
    mutationFn: ({ currentPassword }: GivenFactor) =>
      request('POST /api/account/factors/totp', { body: { currentPassword }, timeoutMs: WITHIN_MS }),
  });
  const show = async ({ recoveryCodes }: { recoveryCodes: readonly string[] }) => {
    // With a passkey there were codes before: they stay.
    if (recoveryCodes.length > 0) setShownCodes(recoveryCodes);
    close();
    await refresh();
  };
  const confirm = useMutation({
    mutationFn: ({ code = '' }: GivenFactor) =>
      request('POST /api/account/factors/totp/confirm', { body: { code } }),
    onSuccess: show,
  });
  const renew = useMutation({
    mutationFn: ({ code, passkey }: GivenFactor) =>
      request('POST /api/account/factors/recovery-codes', { body: { code, passkey } }),
    onSuccess: show,
  });
  const remove = useMutation({
    mutationFn: (body: GivenFactor) =>
      request('POST /api/account/factors/totp/remove', { body, timeoutMs: WITHIN_MS }),
    onSuccess: async () => {
      setAsked(undefined);
      await refresh();
    },
  });
  function close(): void {
    setAsked(undefined);
    for (const { reset } of [begin, confirm, renew, remove]) reset();
  }
  const ask = (action: Action) => {
    close();
    setAsked(action);
  };
  const hasPasskey = (data?.passkeys.length ?? 0) > 0;
  const offered = data?.totp ? OFFERED.on : hasPasskey ? OFFERED.passkeys : OFFERED.off;
  const stage = shownCodes ? 'codes' : begin.data ? 'confirm' : data?.totp ? 'on' : data ? 'off' : 'loading';
  // Each stage takes the buttons of the one before with it.
  const focus = useKeptFocus(`${stage} ${asked ?? ''}`);
  return (
    <section aria-labelledby="factor" className="grid gap-5">
      <h2 id="factor" className="font-semibold text-xl">
        {t('factor')}
      </h2>
      <Problem error={error} />
      <div role="status" className="-mt-5 not-empty:mt-0">
        {remove.isSuccess && stage === 'off' ? <Notice tone="success">{t('factorRemoved')}</Notice> : null}
      </div>
      <div {...focus} tabIndex={-1} className="grid gap-5 outline-none">
        {shownCodes ? <NewCodes codes={shownCodes} onKept={() => setShownCodes(undefined)} /> : null}
        {stage === 'confirm' && begin.data ? (
          <>
            <TotpSecret {...begin.data} />
            <FactorForm asks={['code']} label={t('confirm')} action={confirm} onCancel={close} />
          </>
        ) : null}
        {stage === 'off' ? <p className="text-muted">{t('factorText')}</p> : null}
        {stage === 'on' && data?.totp ? (
          <p>{t('factorOn', { since: localDate(data.totp.addedAt) })}</p>
        ) : null}
        {data && (stage === 'on' || (stage === 'off' && hasPasskey)) ? (
          <p className="text-muted">{t('codesLeft', { count: data.recoveryCodesLeft })}</p>
        ) : null}
        {asked === undefined ? (
          <div className="flex flex-wrap gap-3">
            {(stage === 'off' || stage === 'on' ? offered : []).map((action) => (
              <Button key={action} onClick={() => ask(action)}>
                {t(action)}
              </Button>
            ))}
          </div>
        ) : null}
        {stage === 'off' && asked === 'setUp' ? (
          <FactorForm asks={['currentPassword']} label={t('setUp')} action={begin} onCancel={close} />
        ) : null}
        {(stage === 'on' || stage === 'off') && asked === 'renew' ? (
          <FactorForm
            asks={['code']}
            label={t('renew')}
            action={renew}
            hasPasskey={hasPasskey}
            onCancel={close}
          />
        ) : null}
        {stage === 'on' && asked === 'remove' ? (
          <FactorForm
            asks={['currentPassword', 'code']}
            label={t('remove')}
            action={remove}
            hasPasskey={hasPasskey}
            isDangerous
            onCancel={close}
          />
        ) : null}
      </div>
    </section>
  );
}
