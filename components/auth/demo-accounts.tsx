'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { useRefreshSession } from '@/components/session/use-session';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { signInWith } from './sign-in';
import { useReturn } from './use-return';

/** Shows the demo accounts in demo mode, each with a button that signs in. Shows nothing otherwise. */
export function DemoAccounts() {
  const t = useTranslations('Auth');
  const locale = useLocale();
  const problemText = useProblemText();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const { data } = useQuery({
    queryKey: ['demo'],
    queryFn: ({ signal }) => request('GET /api/demo', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const enter = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) =>
      signInWith(email, password, locale),
    onSuccess: async (isIn) => {
      if (!isIn) return;
      await refreshSession();
      goBack();
    },
  });
  if (!data?.demo) return null;
  const { accounts, password } = data;
  const isBusy = enter.isPending || enter.data === true;
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('demoHeading')}</h2>
      <p className="text-muted">{t('demoText', { password })}</p>
      {enter.error || enter.data === false ? (
        <Notice tone="danger" role="alert">
          {enter.error ? problemText(enter.error) : t('notices.wrong')}
        </Notice>
      ) : null}
      <ul className="grid gap-2">
        {accounts.map(({ email, name }) => (
          <li key={email} className="grid">
            <Button
              aria-label={t('demoUse', { email })}
              isBusy={isBusy && enter.variables?.email === email}
              disabled={isBusy}
              onClick={() => enter.mutate({ email, password })}
              className="flex-wrap justify-between gap-x-4 gap-y-0 px-4"
            >
              <span>{name}</span>
              <span className="max-w-full truncate font-normal text-muted text-sm">{email}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
