'use client';

import { useLocale } from 'next-intl';
import type { ApiProblem } from '@/components/api/api-problem';
import { useRefreshSession } from '@/components/session/use-session';
import { signInWith } from './sign-in';

/** How it stands with a form that was sent: `cookies`: signed in, but the browser has kept nothing of it. */
type Outcome = 'signed_in' | 'wrong' | 'cookies';

/**
 * Signs in and lets the page know.
 * @returns does so; `refusal`: of what came before, thrown where signing in shows that it was meant
 */
export function useSignIn() {
  const locale = useLocale();
  const refreshSession = useRefreshSession();
  return async (email: string, password: string, refusal: ApiProblem | null): Promise<Outcome> => {
    if (!(await signInWith(email, password, locale))) {
      if (refusal) throw refusal;
      return 'wrong';
    }
    return (await refreshSession()) === false ? 'cookies' : 'signed_in';
  };
}
