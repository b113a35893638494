'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { knowsPasskeys, makePasskey } from '@/components/passkey/browser-passkey';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useIsClient } from '@/components/ui/use-is-client';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { PasskeyView } from '@/lib/contract/shapes/passkey';
import { FactorForm, type GivenFactor } from './factor-form';
import { NewCodes } from './new-codes';
import { NewPasskeyForm } from './new-passkey-form';
import { useRefreshFactors } from './use-refresh-factors';

/** The password is hashed slowly. */
const WITHIN_MS = 20_000;

/** Lists the visitor's passkeys, adds one, and removes one. */
export function Passkeys() {
  const t = useTranslations('Account');
  const isClient = useIsClient();
  const [shownCodes, setShownCodes] = useState<readonly string[]>();
  /** What is under way: the fields for a new one, or those to remove one. */
  const [asked, setAsked] = useState<'add' | PasskeyView>();
  const { data } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    staleTime: 0,
  });
  const refresh = useRefreshFactors();
  const add = useMutation({
    mutationFn: async ({ name, currentPassword }: { name: string; currentPassword: string }) => {
      const wish = await request('POST /api/account/factors/passkeys', {
        body: { currentPassword },
        timeoutMs: WITHIN_MS,
      });
      const passkey = await makePasskey(wish);
      return request('POST /api/account/factors/passkeys/add', { body: { name, passkey } });
    },
    onSuccess: async ({ recoveryCodes }) => {
      if (recoveryCodes.length > 0) setShownCodes(recoveryCodes);
      setAsked(undefined);
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: ({ passkeyId, given }: PasskeyView & { given: GivenFactor }) =>
      request('POST /api/account/factors/passkeys/{passkeyId}/remove', {
        params: { passkeyId },
        body: given,
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: async () => {
      setAsked(undefined);
      await refresh();
    },
  });
  const ask = (what?: 'add' | PasskeyView) => {
    add.reset();
    remove.reset();
    setAsked(what);
  };
  const shown = data?.passkeys.map(({ passkeyId }) => passkeyId).join(' ') ?? 'loading';
  const stage = shownCodes ? 'codes' : typeof asked === 'object' ? asked.passkeyId : (asked ?? '');
  const focus = useKeptFocus(`${shown} ${stage}`);
  return (
    <section aria-labelledby="passkeys" className="grid gap-5">
      <h2 id="passkeys" className="font-semibold text-xl">
        {t('passkeys')}
      </h2>
      <p className="text-muted">{t('passkeysText')}</p>
      <div role="status" className="-mt-5 not-empty:mt-0">
        {add.isSuccess ? (
          <Notice tone="success">{t('passkeyAdded', { name: add.variables.name })}</Notice>
        ) : null}
        {remove.isSuccess ? (
          <Notice tone="success">{t('passkeyRemoved', { name: remove.variables.name })}</Notice>
        ) : null}
      </div>
      <div {...focus} tabIndex={-1} className="grid gap-5 outline-none">
        {shownCodes ? <NewCodes codes={shownCodes} onKept={() => setShownCodes(undefined)} /> : null}
        {data && data.passkeys.length > 0 ? (
          <ul className="grid gap-3">
            {data.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.passkeyId} passkey={passkey} onRemove={() => ask(passkey)} />
            ))}
          </ul>
        ) : null}
        {typeof asked === 'object' ? (
          <>
            <p>{t('removeAsk', { name: asked.name })}</p>
            <FactorForm
              asks={['currentPassword', 'code']}
              label={t('removePasskey')}
              action={{ ...remove, mutate: (given) => remove.mutate({ ...asked, given }) }}
              hasPasskey={isClient && knowsPasskeys()}
              isDangerous
              onCancel={() => ask()}
            />
          </>
        ) : null}
        {asked === 'add' ? <NewPasskeyForm action={add} onCancel={() => ask()} /> : null}
        {asked === undefined && isClient && data && !shownCodes ? (
          knowsPasskeys() ? (
            <Button className="justify-self-start" onClick={() => ask('add')}>
              {t('addPasskey')}
            </Button>
          ) : (
            <p className="text-muted">{t('passkeysOff')}</p>
          )
        ) : null}
      </div>
    </section>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const { name, addedAt, lastUsedAt } = passkey;
  const since = localDate(addedAt, 'short');
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="break-words font-medium">{name}</p>
        <p className="text-muted text-sm tabular-nums">
          {lastUsedAt === null
            ? t('passkeyUnused', { since })
            : t('passkeySince', { since, used: localDate(lastUsedAt, 'short') })}
        </p>
      </div>
      <Button aria-label={t('removeWhich', { name })} onClick={onRemove}>
        {t('removePasskey')}
      </Button>
    </li>
  );
}
