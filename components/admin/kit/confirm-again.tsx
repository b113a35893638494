'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { AlertDialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { FactorForm, type GivenFactor } from '@/components/account/factor-form';
import { problemCode } from '@/components/api/api-problem';
import { askAgainBy } from '@/components/api/confirm-again';
import { request } from '@/components/api/request';
import { knowsPasskeys } from '@/components/passkey/browser-passkey';
import { onEscape } from '@/components/ui/on-escape';

/** The password is hashed slowly. */
const WITHIN_MS = 20_000;

/** Asks members of staff to show who they are once more, where a request needs it; then the request goes on. */
export function ConfirmAgain() {
  const t = useTranslations('Admin');
  const common = useTranslations('Common');
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
  const { data, isError, refetch } = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    staleTime: 0,
    enabled: isOpen,
  });
  const hasPasskey = (data?.passkeys.length ?? 0) > 0;
  const hasFactor = hasPasskey || Boolean(data?.totp);
  const confirm = useMutation({
    mutationFn: ({ currentPassword, code, passkey }: GivenFactor) =>
      request('POST /api/account/confirm', {
        body: passkey ? { passkey } : hasFactor ? { code } : { currentPassword },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: () => close(true),
    // Added a moment ago, or the question which there are failed: now the form asks for it.
    onError: (error) => (problemCode(error) === 'FACTOR_NEEDED' ? refetch() : undefined),
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
          {data || isError ? (
            <FactorForm
              asks={[hasFactor ? 'code' : 'currentPassword']}
              label={t('confirmAgainPress')}
              action={confirm}
              hasPasskey={hasPasskey && knowsPasskeys()}
              onCancel={() => close(false)}
            />
          ) : (
            <p className="text-muted">{common('loading')}</p>
          )}
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
