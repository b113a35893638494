import { signIn } from 'next-auth/react';
import type { Locale } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';

/**
 * Signs in with e-mail and password.
 * @param locale of the page, and from then on of the mails
 * @returns false if they don't match an account
 * @throws ApiProblem if the shop could not be asked
 */
export async function signInWith(email: string, password: string, locale: Locale): Promise<boolean> {
  let result: Awaited<ReturnType<typeof signIn>>;
  try {
    result = await signIn('credentials', { email: email.trim(), password, locale, redirect: false });
  } catch {
    throw new ApiProblem({ status: 0, code: 'NETWORK' });
  }
  if (result?.ok && !result.error) return true;
  if (result?.status === 401 || result?.error === 'CredentialsSignin') return false;
  throw new ApiProblem({ status: result?.status ?? 500, code: 'UNKNOWN' });
}
