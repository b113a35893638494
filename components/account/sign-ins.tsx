'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useIsClient } from '@/components/ui/use-is-client';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { SignIns as SignInsView } from '@/lib/contract/shapes/sign-in';
import { FactorForm } from './factor-form';

/** The password is hashed slowly. */
const WITHIN_MS = 20_000;

type Other = SignInsView['others'][number];

/** Shows which services sign in to the account besides the password, joins one, and takes one away. Nothing where there is none. */
export function SignIns() {
  const { data } = useQuery({
    queryKey: ['sign-ins'],
    queryFn: ({ signal }) => request('GET /api/account/sign-ins', { signal }),
    staleTime: 0,
  });
  if (!data || (data.offered === null && data.others.length === 0 && data.hasPassword)) return null;
  return (
    <Card className="p-5 sm:p-6">
      <Ways {...data} />
    </Card>
  );
}

function Ways({ hasPassword, others, offered }: SignInsView) {
  const t = useTranslations('Account');
  const locale = useLocale();
  const localDate = useLocalDate();
  const client = useQueryClient();
  const [asked, setAsked] = useState<'join' | Other>();
  const [gone, setGone] = useState<string>();
  const outcome = useJoiningOutcome();
  const join = useMutation({
    mutationFn: ({ currentPassword }: { currentPassword: string }) =>
      request('POST /api/account/sign-ins', { body: { currentPassword, locale }, timeoutMs: WITHIN_MS }),
    onSuccess: ({ address }) => window.location.assign(address),
  });
  const remove = useMutation({
    mutationFn: ({ identityId, currentPassword }: { identityId: string; currentPassword: string }) =>
      request('POST /api/account/sign-ins/{identityId}/remove', {
        params: { identityId },
        body: { currentPassword },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: async () => {
      setGone(typeof asked === 'object' ? asked.name : undefined);
      setAsked(undefined);
      await Promise.all(['sign-ins', 'sessions'].map((name) => client.refetchQueries({ queryKey: [name] })));
    },
  });
  const close = () => {
    setAsked(undefined);
    join.reset();
    remove.reset();
  };
  // A form takes the button that has opened it away, and back.
  const focus = useKeptFocus(`${typeof asked === 'object' ? asked.identityId : asked} ${others.length}`);
  return (
    <section id="sign-ins" aria-labelledby="sign-ins-heading" className="grid gap-5">
      <h2 id="sign-ins-heading" className="font-semibold text-xl">
        {t('signIns')}
      </h2>
      <p className="text-muted">{t('signInsText')}</p>
      <div role="status" className="-mt-5 not-empty:mt-0">
        {gone !== undefined ? <Notice tone="success">{t('signInRemoved', { name: gone })}</Notice> : null}
        {outcome && gone === undefined ? (
          <Notice tone={outcome === 'joined' ? 'success' : 'danger'}>{t(`joining.${outcome}`)}</Notice>
        ) : null}
      </div>
      {hasPassword ? null : (
        <Notice>
          {t.rich('noPassword', {
            link: (words) => (
              <Link href="/forgot-password" prefetch={false} className="underline underline-offset-4">
                {words}
              </Link>
            ),
          })}
        </Notice>
      )}
      <div {...focus} tabIndex={-1} className="grid gap-3 outline-none">
        <ul className="grid gap-3">
          {hasPassword ? (
            <li className="rounded-xl border border-line px-4 py-3 font-medium">{t('hasPassword')}</li>
          ) : null}
          {others.map((other) => (
            <li
              key={other.identityId}
              className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line px-4 py-3"
            >
              <div className="grid min-w-0 gap-0.5">
                <p className="break-words font-medium">
                  {t('joined', { name: other.name, since: localDate(other.addedAt, 'short') })}
                </p>
                {other.isOffered ? null : <p className="text-muted text-sm">{t('notOffered')}</p>}
              </div>
              {hasPassword && asked === undefined ? (
                <Button aria-label={t('removeSignIn', { name: other.name })} onClick={() => setAsked(other)}>
                  {t('removeShort')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
        {offered !== null && hasPassword && asked === undefined ? (
          <Button className="justify-self-start" onClick={() => setAsked('join')}>
            {t('join', { name: offered })}
          </Button>
        ) : null}
        {offered !== null && asked === 'join' ? (
          <FactorForm
            asks={['currentPassword']}
            label={t('join', { name: offered })}
            action={{ ...join, isPending: join.isPending || join.isSuccess }}
            onCancel={close}
          />
        ) : null}
        {typeof asked === 'object' ? (
          <FactorForm
            asks={['currentPassword']}
            label={t('removeSignIn', { name: asked.name })}
            action={{
              ...remove,
              mutate: ({ currentPassword }) =>
                remove.mutate({ identityId: asked.identityId, currentPassword }),
            }}
            isDangerous
            onCancel={close}
          />
        ) : null}
      </div>
    </section>
  );
}

const OUTCOMES = [
  'joined',
  'exists',
  'taken',
  'signed_out',
  'over',
  'cancelled',
  'away',
  'failed',
  'limited',
] as const;

/** Returns, from the page's address, what became of a joining from which the browser has just come back. */
function useJoiningOutcome(): (typeof OUTCOMES)[number] | null {
  const isClient = useIsClient();
  if (!isClient) return null;
  const said = new URLSearchParams(window.location.search).get('joining');
  return OUTCOMES.find((each) => each === said) ?? null;
}
