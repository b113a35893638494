'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { knowsPasskeys, makePasskey } from '@/components/auth/browser-passkey';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { PasskeyView } from '@/lib/contract/shapes/passkey';
import { type FactorActionProps, hasAnyFactor, WITHIN_MS } from './factor-action';
import { type FactorFields, FactorForm, factorOf } from './factor-form';

interface PasskeysProps {
  passkeys: readonly PasskeyView[];
  onAdd: () => void;
  onRemove: (passkey: PasskeyView) => void;
}

/** Lists the visitor's passkeys. */
export function Passkeys({ passkeys, onAdd, onRemove }: PasskeysProps) {
  const t = useTranslations('Account');
  return (
    <>
      <h3 className="font-semibold text-lg">{t('passkeys')}</h3>
      <p className="text-muted">{t('passkeysText')}</p>
      {passkeys.length > 0 ? (
        <ul className="grid gap-3">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.passkeyId} passkey={passkey} onRemove={() => onRemove(passkey)} />
          ))}
        </ul>
      ) : null}
      {knowsPasskeys() ? (
        <Button className="justify-self-start" onClick={onAdd}>
          {t('addPasskey')}
        </Button>
      ) : (
        <p className="text-muted">{t('passkeysOff')}</p>
      )}
    </>
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
        <p className="wrap-anywhere font-medium">
          <bdi>{name}</bdi>
        </p>
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

/** Has the visitor's device make a passkey, and adds it. */
export function AddPasskey({ factors, onDone, ...common }: FactorActionProps) {
  const t = useTranslations('Account');
  const add = useMutation({
    mutationFn: async (given: FactorFields) => {
      const { name, currentPassword } = given;
      const body = { currentPassword, ...factorOf(given) };
      const wish = await request('POST /api/account/factors/passkeys', { body, timeoutMs: WITHIN_MS });
      const passkey = await makePasskey(wish);
      return request('POST /api/account/factors/passkeys/add', { body: { name, passkey } });
    },
    onSuccess: ({ recoveryCodes }) => onDone({ says: 'passkeyAdded', codes: recoveryCodes }),
  });
  return (
    <FactorForm
      {...common}
      asks={hasAnyFactor(factors) ? ['name', 'currentPassword', 'code'] : ['name', 'currentPassword']}
      hasPasskey={factors.passkeys.length > 0}
      label={t('addPasskey')}
      action={add}
    />
  );
}

/** Removes a passkey. */
export function RemovePasskey({
  passkey,
  factors,
  onDone,
  ...common
}: FactorActionProps & { passkey: PasskeyView }) {
  const t = useTranslations('Account');
  const { passkeyId, name } = passkey;
  const isLast = !factors.totp && factors.passkeys.length === 1;
  const remove = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/factors/passkeys/{passkeyId}/remove', {
        params: { passkeyId },
        body: { currentPassword: given.currentPassword, ...factorOf(given) },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: () => onDone({ says: isLast ? 'factorRemoved' : 'passkeyRemoved' }),
  });
  return (
    <>
      <p className="text-muted">{t(isLast ? 'removeLastPasskeyText' : 'removePasskeyText', { name })}</p>
      <FactorForm
        {...common}
        asks={['currentPassword', 'code']}
        label={t('removePasskey')}
        action={remove}
        hasPasskey
        isDangerous
      />
    </>
  );
}
