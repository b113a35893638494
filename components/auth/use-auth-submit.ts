'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'next-intl';
import { useRef, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { fetchJson } from '@/components/api/fetch-json';
import { useRefreshSession } from '@/components/session/use-session';
import { useWait } from '@/components/ui/use-wait';
import type { Credentials } from './check-credentials';
import { signInWith } from './sign-in';
import { useReturn } from './use-return';

/** Of one press: then it says what is wrong and waits for the next. */
const MOST_RETRIES = 8;

/** The shop could not be asked, or has no time just now: the same try may succeed in a moment. */
const isBusy = (error: unknown) => error instanceof ApiProblem && error.isTransient && error.status !== 429;
const retryAfterMs = (error: unknown) => (error instanceof ApiProblem ? error.retryAfterMs : null);

/** How it stands with a form that was sent: `cookies`: signed in, but the browser has kept nothing of it. */
export type AuthOutcome = 'signed_in' | 'wrong' | 'cookies';

/**
 * Registers if asked to, signs in, and goes back to where the visitor came from. While the shop has no time it tries again by
 * itself; after too many failures it waits as long as it is told.
 */
export function useAuthSubmit(isRegister: boolean) {
  const locale = useLocale();
  const goBack = useReturn();
  const refreshSession = useRefreshSession();
  const wait = useWait();
  /** Whom this form has registered already: what comes again is the sign-in alone. */
  const registered = useRef('');
  const [isRetrying, setRetrying] = useState(false);

  const submit = useMutation({
    mutationFn: async ({ email, password, name }: Credentials): Promise<AuthOutcome> => {
      if (isRegister && registered.current !== email) {
        const body = { email: email.trim(), password, name: name?.trim(), locale };
        await fetchJson('/api/register', { method: 'POST', body });
        registered.current = email;
      }
      if (!(await signInWith(email, password, locale))) return 'wrong';
      return (await refreshSession()) === false ? 'cookies' : 'signed_in';
    },
    retry: (failures, error) => {
      const isWorthIt = isBusy(error) && failures < MOST_RETRIES;
      setRetrying(isWorthIt);
      return isWorthIt;
    },
    retryDelay: (failures, error) => backoffMs(RETRY, failures + 1, retryAfterMs(error)),
    onSuccess: (outcome) => {
      if (outcome === 'signed_in') goBack();
    },
    onError: wait.take,
    onSettled: () => setRetrying(false),
  });
  return { submit, wait, isRetrying };
}
