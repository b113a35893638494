'use client';

import { useLocale } from 'next-intl';
import { type ApiProblem, problemCode } from '@/components/api/api-problem';
import { useRefreshSession } from '@/components/session/use-session';
import { signInWith } from './sign-in';

/**
 * The outcome of a sign-in. `cookies`: the server signed the visitor in, but the browser kept no cookie. `second_step`:
 * the password is right, and `/second-step` asks for the second factor.
 */
type Outcome = 'signed_in' | 'wrong' | 'cookies' | 'second_step';

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
    try {
      if (!(await signInWith(email, password, locale, signal))) {
        if (refusal) throw refusal;
        return 'wrong';
      }
    } catch (error) {
      if (problemCode(error) === 'SECOND_FACTOR_NEEDED') return 'second_step';
      throw error;
    }
    return (await refreshSession()) === false ? 'cookies' : 'signed_in';
  };
}
