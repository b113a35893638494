import { randomBytes } from 'node:crypto';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import type { Reply } from '@/tools/harness/ask';
import type { Tally } from './report';
import type { Scene } from './run-attack';
import { hail, type Owner, postAs, signInAs } from './stuffing';

const signature = () => randomBytes(32).toString('base64url');

/** Makes accounts as fast as the shop takes them, from a few addresses. @returns the answers, and how many there are now */
export async function farmAccounts(
  { origins, random }: Scene,
  { registrations, addresses }: { registrations: number; addresses: readonly string[] },
): Promise<{ answers: Tally; made: number }> {
  const mark = newId('farm').replace('_', '');
  const answers = await hail(
    Array.from({ length: registrations }, (_, nth) => () => {
      const body = { email: `${mark}-${nth}@example.com`, password: signature(), name: 'Farm' };
      return postAs(random.pick(origins), '/api/register', body, {
        address: addresses[nth % addresses.length] ?? '',
      });
    }),
  );
  return { answers, made: await db().user.count({ where: { email: { startsWith: mark } } }) };
}

/** Asks for mails to reset passwords of the owners' accounts, from many addresses. 202 is a mail. */
export const floodResets = (
  { origins, random, newAddress }: Scene,
  owners: readonly Owner[],
  resets: number,
): Promise<Tally> =>
  hail(
    Array.from({ length: resets }, (_, nth) => () => {
      const { email } = owners[nth % owners.length] as Owner;
      return postAs(random.pick(origins), '/api/password/forgot', { email }, { address: newAddress() });
    }),
  );

/**
 * Guesses the tokens of all links that open an account or change it, for accounts whose ids are known; each guess has the
 * form of a real one.
 */
export function guessTokens(
  { origins, random }: Scene,
  owners: readonly Owner[],
  { guesses, addresses }: { guesses: number; addresses: readonly string[] },
): Promise<Tally> {
  const inAnHour = Date.now() + 1_200_000;
  const kinds: ((owner: Owner) => [string, object])[] = [
    ({ userId }) => [
      '/api/password/reset',
      { token: `${userId}.${inAnHour}.${signature()}`, newPassword: signature() },
    ],
    ({ userId }) => ['/api/email/verify', { token: `${userId}.${inAnHour}.${signature()}` }],
    () => ['/api/email/confirm', { token: `${newId('change')}.${signature()}` }],
    () => ['/api/email/stop', { token: `${newId('change')}.${signature()}` }],
    () => ['/api/invitations/look', { token: signature() }],
    () => ['/api/invitations/accept', { token: signature(), password: signature(), name: 'Guest' }],
  ];
  return hail(
    Array.from({ length: guesses }, (_, nth) => () => {
      const [path, body] = kinds[nth % kinds.length]?.(owners[nth % owners.length] as Owner) ?? ['', {}];
      return postAs(random.pick(origins), path, body, { address: addresses[nth % addresses.length] ?? '' });
    }),
  );
}

/**
 * Guesses one-time codes of an account whose password was stolen, from as many addresses as there are guesses.
 * @param account has a second factor
 */
export async function guessCodes(
  { origins, random, newAddress }: Scene,
  account: { email: string; password: string },
  guesses: number,
): Promise<Tally> {
  const [origin = ''] = origins;
  const first = await signInAs(origin, account, { address: newAddress() });
  const cookie = first.kind === 'answered' ? first.cookies.join('; ') : '';
  const codes = new Set<string>();
  while (codes.size < guesses) codes.add(String(random.int(0, 999_999)).padStart(6, '0'));
  return hail(
    [...codes].map(
      (code) => (): Promise<Reply> =>
        postAs(
          random.pick(origins),
          '/api/auth/callback/second-step',
          { code },
          { address: newAddress(), cookie },
        ),
    ),
  );
}
