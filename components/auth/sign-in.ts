import type { Locale } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { fetchJson } from '@/components/api/fetch-json';

/** Longer than the server lets anybody wait for the answer. */
const TIMEOUT_MS = 20_000;

/**
 * Signs in with e-mail and password.
 * @param locale the page's; from then on also the language of the mails
 * @param signal ends the try
 * @returns false if they don't match an account
 * @throws ApiProblem for every other refusal, and if the shop could not be reached
 */
export async function signInWith(
  email: string,
  password: string,
  locale: Locale,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const body = { email: email.trim(), password, locale };
    await fetchJson('/api/auth/callback/credentials', {
      method: 'POST',
      body,
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    return true;
  } catch (error) {
    if (problemCode(error) === 'CREDENTIALS_WRONG') return false;
    throw error;
  }
}
