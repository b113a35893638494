import { hashPassword } from '@/lib/account/hash-password';
import { lifetimeOf } from '@/lib/account/sessions/lifetimes';
import { claimsOf, sessionCookieName, signSession } from '@/lib/account/sessions/session-token';
import { db } from '@/lib/db/client';
import { randomText } from '@/lib/ids/new-id';
import { recruit } from '@/tools/harness/recruit';

const SESSION_ID_LENGTH = 20;
const AT_ONCE = 1_000;
/**
 * How old the accounts are. One that asks again and again is taken for a bot, sooner if it was made today: a bench sends
 * the requests of many people through few accounts.
 */
const AGE_MS = 7 * 86_400_000;

type SignedIn = { userId: string; cookie: string };

const everybody: SignedIn[] = [];

/** Returns this many shoppers with their session cookies; makes those that are missing. */
export async function signedInPeople(count: number): Promise<readonly SignedIn[]> {
  while (everybody.length < count)
    everybody.push(...(await signInMany(Math.min(AT_ONCE, count - everybody.length))));
  return everybody.slice(0, count);
}

/** Returns their session cookies only. */
export const signedInCookies = async (count: number): Promise<readonly string[]> =>
  (await signedInPeople(count)).map(({ cookie }) => cookie);

/** The password of everybody made by `peopleWithPassword`. */
export const PASSWORD = 'bench-password';

/** Makes this many shoppers who can sign in; one hash serves all. @returns their e-mail addresses */
export async function peopleWithPassword(count: number): Promise<string[]> {
  const people = await recruit(Array.from({ length: count }, (_, n) => ({ name: `Bench ${n}` })));
  const passwordHash = await hashPassword(PASSWORD);
  const ids = people.map(({ userId }) => userId);
  await db().user.updateMany({ where: { id: { in: ids } }, data: { passwordHash } });
  return people.map(({ email }) => email);
}

async function signInMany(count: number): Promise<SignedIn[]> {
  const names = Array.from({ length: count }, (_, n) => ({ name: `Bench ${n}` }));
  const people = await recruit(names, new Date(Date.now() - AGE_MS));
  const expiresAt = new Date(Date.now() + lifetimeOf('shopper').absoluteMs);
  const sessions = people.map(({ userId }) => ({
    id: randomText(SESSION_ID_LENGTH),
    userId,
    sessionVersion: 0,
    browser: 'Bench',
    expiresAt,
  }));
  await db().session.createMany({ data: sessions });
  return Promise.all(
    people.map(async ({ userId: id, name, email }, n) => {
      const claims = claimsOf({ id, name, email, role: 'shopper', level: 0 }, sessions[n]?.id ?? '');
      return { userId: id, cookie: `${sessionCookieName()}=${await signSession(claims)}` };
    }),
  );
}
