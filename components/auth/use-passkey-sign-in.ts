'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'next-intl';
import { fetchJson } from '@/components/api/fetch-json';
import { answerByPasskey } from '@/components/passkey/browser-passkey';
import { useRefreshSession } from '@/components/session/use-session';
import { useWait } from '@/components/ui/use-wait';
import type { PasskeyQuestion } from '@/lib/contract/shapes/passkey';
import { useReturn } from './use-return';

/** Where the answer goes: a passkey signs in alone, or after the password. */
const TAKERS = { 'sign-in': 'passkey', 'second-step': 'second-step' } as const;

/**
 * Signs in by a passkey and goes back to where the visitor came from.
 * @param use whether a password came before it
 * @returns the mutation, whose data is false if the browser kept no cookie; and how long to wait after too many tries
 */
export function usePasskeySignIn(use: keyof typeof TAKERS) {
  const locale = useLocale();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const wait = useWait();
  const signIn = useMutation({
    mutationFn: async () => {
      const question = await fetchJson<PasskeyQuestion>(`/api/auth/passkey/${use}`, { method: 'POST' });
      const passkey = await answerByPasskey(question);
      await fetchJson(`/api/auth/callback/${TAKERS[use]}`, { method: 'POST', body: { passkey, locale } });
      return (await refreshSession()) !== false;
    },
    onSuccess: (keepsCookies) => {
      if (keepsCookies) goBack();
    },
    onError: wait.take,
  });
  return { signIn, wait };
}
