'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { linkTo } from '@/components/ui/link-to';
import { Notice } from '@/components/ui/notice';
import { Said } from '@/components/ui/said';
import { useIsClient } from '@/components/ui/use-is-client';
import { useIsLeaving } from '@/components/ui/use-is-leaving';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Identities as View } from '@/lib/contract/shapes/identity';
import { hasAnyFactor, WITHIN_MS } from './factor-action';
import { type FactorFields, FactorForm, factorOf } from './factor-form';

type Identity = View['identities'][number];

/** Joins the shop's sign-in server to the visitor's account, and removes it. Shows nothing where there is none. */
export function Identities({ email }: { email: string }) {
  const { data } = useQuery({
    queryKey: ['identities'],
    queryFn: ({ signal }) => request('GET /api/account/identities', { signal }),
    staleTime: 0,
  });
  if (!data || (data.offered === null && data.identities.length === 0)) return null;
  return (
    <Card className="p-5 sm:p-6">
      <Ways {...data} email={email} />
    </Card>
  );
}

function Ways({ email, hasPassword, identities, offered }: View & { email: string }) {
  const t = useTranslations('Account');
  const client = useQueryClient();
  const [action, setAction] = useState<'join' | Identity>();
  const [removed, setRemoved] = useState<string>();
  const outcome = useJoiningOutcome();
  const onRemoved = (name: string) => {
    setRemoved(name);
    setAction(undefined);
    for (const key of ['identities', 'sessions']) void client.refetchQueries({ queryKey: [key] });
  };
  const onCancel = () => setAction(undefined);
  // A form takes the button that has opened it away, and back.
  const focus = useKeptFocus(JSON.stringify([action, identities.length]));
  return (
    <section id="identities" aria-labelledby="identities-heading" className="grid gap-5">
      <h2 id="identities-heading" className="font-semibold text-xl">
        {t('identities')}
      </h2>
      <p className="text-muted">{t('identitiesText')}</p>
      <Said>
        {removed ? <Notice tone="success">{t('identityRemoved', { name: removed })}</Notice> : null}
        {outcome && !removed ? (
          <Notice tone={outcome === 'joined' ? 'success' : 'danger'}>{t(`joining.${outcome}`)}</Notice>
        ) : null}
      </Said>
      {hasPassword ? null : <p>{t.rich('noPassword', { link: linkTo('/forgot-password') })}</p>}
      <div {...focus} tabIndex={-1} className="grid gap-5 outline-none">
        {action === 'join' ? <Join email={email} name={offered ?? ''} onCancel={onCancel} /> : null}
        {typeof action === 'object' ? (
          <Remove email={email} identity={action} onRemoved={onRemoved} onCancel={onCancel} />
        ) : null}
        {action ? null : (
          <>
            {identities.map((identity) => (
              <Row
                key={identity.identityId}
                identity={identity}
                onRemove={hasPassword ? () => setAction(identity) : null}
              />
            ))}
            {offered && hasPassword ? (
              <Button className="justify-self-start" onClick={() => setAction('join')}>
                {t('join', { name: offered })}
              </Button>
            ) : null}
          </>
        )}
      </div>
    </section>
  );
}

/** @param onRemove null: it is the only way in */
function Row({ identity, onRemove }: { identity: Identity; onRemove: (() => void) | null }) {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const { name, addedAt } = identity;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-muted text-sm tabular-nums">
          {t('identitySince', { since: localDate(addedAt, 'short') })}
        </p>
      </div>
      {onRemove ? (
        <Button aria-label={t('removeWhich', { name })} onClick={onRemove}>
          {t('removePasskey')}
        </Button>
      ) : null}
    </div>
  );
}

interface ActionProps {
  email: string;
  onCancel: () => void;
}

/** Leads to the sign-in server, from where the browser comes back to this page. */
function Join({ name, ...common }: ActionProps & { name: string }) {
  const t = useTranslations('Account');
  const locale = useLocale();
  const join = useMutation({
    mutationFn: ({ currentPassword, ...given }: FactorFields) =>
      request('POST /api/account/identities', {
        body: { currentPassword, locale, ...factorOf({ currentPassword, ...given }) },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const action = { ...join, isPending: useIsLeaving(join) };
  return <ProofForm {...common} label={t('join', { name })} action={action} />;
}

function Remove({
  identity,
  onRemoved,
  ...common
}: ActionProps & { identity: Identity; onRemoved: (name: string) => void }) {
  const t = useTranslations('Account');
  const { identityId, name } = identity;
  const remove = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/identities/{identityId}/remove', {
        params: { identityId },
        body: { currentPassword: given.currentPassword, ...factorOf(given) },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: () => onRemoved(name),
  });
  return (
    <>
      <p className="text-muted">{t('removeIdentityText', { name })}</p>
      <ProofForm {...common} label={t('removeWhich', { name })} action={remove} isDangerous />
    </>
  );
}

/** Asks for the password and, where the account has one, a second factor. */
function ProofForm(
  props: ActionProps & Pick<Parameters<typeof FactorForm>[0], 'label' | 'action' | 'isDangerous'>,
) {
  const { data } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
  });
  return (
    <FactorForm
      {...props}
      asks={data && hasAnyFactor(data) ? ['currentPassword', 'code'] : ['currentPassword']}
      hasPasskey={data !== undefined && data.passkeys.length > 0}
    />
  );
}

const OUTCOMES = ['joined', 'taken', 'signed_out', 'over', 'cancelled', 'failed', 'limited'] as const;

/** Returns, from the page's address, what became of joining. */
function useJoiningOutcome(): (typeof OUTCOMES)[number] | undefined {
  const isClient = useIsClient();
  const said = isClient ? new URLSearchParams(window.location.search).get('joining') : null;
  return OUTCOMES.find((each) => each === said);
}
