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

/** Of one press: then it says what is wrong and waits for the next. */
const MOST_RETRIES = 8;
/** Longer than a full queue of passwords takes to be hashed. */
const REGISTER_TIMEOUT_MS = 20_000;

/** The shop could not be asked, or has no time just now: the same try may succeed in a moment. */
const isBusy = (error: unknown) => error instanceof ApiProblem && error.isTransient && error.status !== 429;
const retryAfterMs = (error: unknown) => (error instanceof ApiProblem ? error.retryAfterMs : null);

/**
 * Registers if asked to, signs in, and goes back to where the visitor came from. While the shop has no time it tries again by
 * itself; after too many failures it waits as long as it is told.
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
