'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'next-intl';
import { useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { request } from '@/components/api/request';
import { useWait } from '@/components/ui/use-wait';
import type { Credentials } from './check-credentials';
import { createOnce } from './once';
import { useReturn } from './use-return';
import { useSignIn } from './use-sign-in';

/** The most retries after one press; then the form says what is wrong and waits for the next press. */
const MOST_RETRIES = 8;
/** Longer than the server takes to hash a full queue of passwords. */
const REGISTER_TIMEOUT_MS = 20_000;

/** The shop could not be reached, or is busy: the same try may succeed in a moment. */
const isBusy = (error: unknown) => error instanceof ApiProblem && error.isTransient && error.status !== 429;
const retryAfterMs = (error: unknown) => (error instanceof ApiProblem ? error.retryAfterMs : null);

/**
 * Registers if asked to, signs in, and goes back to where the visitor came from. Retries by itself while the shop is
 * busy; after too many failures it waits as long as the server asks.
 */
export function useAuthSubmit(isRegister: boolean) {
  const locale = useLocale();
  const goBack = useReturn();
  const signIn = useSignIn();
  const wait = useWait();
  const [register] = useState(() => createOnce('EMAIL_TAKEN'));
  const [isRetrying, setRetrying] = useState(false);

  const submit = useMutation({
    mutationFn: async ({ email, password, name }: Credentials) => {
      const body = { email: email.trim(), password, name: name?.trim() ?? '', locale };
      const post = () => request('POST /api/register', { body, timeoutMs: REGISTER_TIMEOUT_MS });
      return signIn(email, password, isRegister ? await register(email, post) : null);
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
