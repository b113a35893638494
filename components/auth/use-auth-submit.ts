'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'next-intl';
import { useRef, useState } from 'react';
import { request } from '@/components/api/request';
import { useWait } from '@/components/ui/use-wait';
import { useRouter } from '@/i18n/navigation';
import type { Credentials } from './check-credentials';
import { insist } from './insist';
import { createOnce } from './once';
import { useReturn } from './use-return';
import { useSignIn } from './use-sign-in';
import { wantedQuery } from './wanted-query';

/** Longer than the server lets anybody wait for the answer. */
const REGISTER_TIMEOUT_MS = 20_000;

/** A try that goes on by itself. `turnAt`: when the visitor's turn probably comes, by `performance.now`, ms. */
type Retrying = { why: 'queue'; turnAt: number } | { why: 'outage' };

/**
 * Registers if asked to, signs in, and goes back to where the visitor came from, or on to the second step. Tries again by
 * itself while the visitor is in the password queue or the shop does not answer; after too many failures it waits as long as
 * the server asks.
 */
export function useAuthSubmit(isRegister: boolean) {
  const locale = useLocale();
  const goBack = useReturn();
  const router = useRouter();
  const signIn = useSignIn();
  const wait = useWait();
  const [register] = useState(() => createOnce('EMAIL_TAKEN'));
  const [retrying, setRetrying] = useState<Retrying | null>(null);
  const underWay = useRef<AbortController | null>(null);

  const submit = useMutation({
    mutationFn: ({ email, password, name }: Credentials) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const body = { email: email.trim(), password, name: name?.trim() ?? '', locale, timeZone };
      const controller = new AbortController();
      underWay.current = controller;
      return insist(
        async (signal) => {
          const post = () => request('POST /api/register', { body, signal, timeoutMs: REGISTER_TIMEOUT_MS });
          return signIn(email, password, isRegister ? await register(email, post) : null, signal);
        },
        {
          signal: controller.signal,
          tell: (waiting) =>
            setRetrying(
              waiting.why === 'queue'
                ? { why: 'queue', turnAt: performance.now() + waiting.expectedMs }
                : waiting,
            ),
        },
      );
    },
    onSuccess: (outcome) => {
      if (outcome === 'signed_in') goBack();
      const wanted = new URLSearchParams(window.location.search).get('callbackUrl');
      if (outcome === 'second_step') router.replace(`/second-step${wantedQuery(wanted)}`);
    },
    onError: wait.take,
    onSettled: () => setRetrying(null),
  });
  /** Leaves the password queue; what was typed stays. */
  const leave = () => {
    submit.reset();
    setRetrying(null);
    underWay.current?.abort();
  };
  return { submit, wait, retrying, leave };
}
