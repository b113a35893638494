'use client';

import { useLocale } from 'next-intl';
import type { ApiProblem } from '@/components/api/api-problem';
import { useRefreshSession } from '@/components/session/use-session';
import { signInWith } from './sign-in';

/** The outcome of a sign-in. `cookies`: the server signed the visitor in, but the browser kept no cookie. */
type Outcome = 'signed_in' | 'wrong' | 'cookies';

/**
 * Signs in and lets the page know.
 * @returns a function that signs in; `refusal`: the refusal of an earlier step, thrown if the sign-in fails too
 */
export function useSignIn() {
  const locale = useLocale();
  const refreshSession = useRefreshSession();
  return async (
    email: string,
    password: string,
    refusal: ApiProblem | null,
    signal?: AbortSignal,
  ): Promise<Outcome> => {
    if (!(await signInWith(email, password, locale, signal))) {
      if (refusal) throw refusal;
      return 'wrong';
    }
    return (await refreshSession()) === false ? 'cookies' : 'signed_in';
  };
}
