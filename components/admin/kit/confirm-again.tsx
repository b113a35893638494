'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { AlertDialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { hasAnyFactor, WITHIN_MS } from '@/components/account/factor-action';
import { type FactorFields, FactorForm, factorOf } from '@/components/account/factor-form';
import { request } from '@/components/api/request';
import { useSession } from '@/components/session/use-session';
import { onEscape } from '@/components/ui/on-escape';
import { Problem } from '@/components/ui/problem';
import { askAgainBy } from './ask-again';

/** Asks staff to show who they are once more, where a request needs it; then the request goes on. */
export function ConfirmAgain() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
  const session = useSession();
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  useEffect(
    () =>
      askAgainBy(
        () =>
          new Promise((resolve) => {
            setAnswer(() => resolve);
          }),
      ),
    [],
  );
  const isOpen = answer !== undefined;
  const { data, error } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    staleTime: 0,
    enabled: isOpen,
  });
  const hasFactor = data ? hasAnyFactor(data) : false;
  const confirm = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/confirm', {
        body: hasFactor ? factorOf(given) : { currentPassword: given.currentPassword },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: () => close(true),
  });
  function close(isConfirmed: boolean): void {
    answer?.(isConfirmed);
    setAnswer(undefined);
    confirm.reset();
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(isWanted) => isWanted || close(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.5)]" />
        <AlertDialog.Content
          onKeyDown={onEscape(() => close(false))}
          className="fixed top-1/2 left-1/2 z-50 grid w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 gap-4 rounded-card border border-line bg-panel p-6 shadow-card"
        >
          <AlertDialog.Title className="font-semibold text-xl">{t('confirmAgain')}</AlertDialog.Title>
          <AlertDialog.Description className="text-muted">{t('confirmAgainText')}</AlertDialog.Description>
          <Problem error={data ? null : error} />
          {data ? (
            <FactorForm
              email={session.status === 'signed_in' ? session.user.email : ''}
              asks={[hasFactor ? 'code' : 'currentPassword']}
              label={t('confirmAgainPress')}
              action={confirm}
              hasPasskey={data.passkeys.length > 0}
              onCancel={() => close(false)}
            />
          ) : error ? null : (
            <p className="text-muted">{common('loading')}</p>
          )}
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
