import pLimit from 'p-limit';
import { ask, type Reply } from '@/tools/harness/ask';
import { nameOf } from '@/tools/harness/client';
import { Tally } from './report';
import type { Scene } from './run-attack';

/** Somebody who has an account, and the browser in which they signed in before. */
export type Owner = { userId: string; email: string; password: string; address: string; cookies: string };

/** Connections of the attackers. */
const AT_ONCE = 20;
/** From this many failures an account counts as under attack; one account gets this many and some more. */
export const HARD = 40;

/** Posts JSON as the shop's own page would. */
export const postAs = (
  origin: string,
  path: string,
  body: object,
  { address, cookie = '' }: { address: string; cookie?: string },
): Promise<Reply> =>
  ask(`${origin}${path}`, {
    method: 'POST',
    headers: { origin, cookie, 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });

export const signInAs = (
  origin: string,
  { email, password }: { email: string; password: string },
  from: { address: string; cookie?: string },
) => postAs(origin, '/api/auth/callback/credentials', { email, password }, from);

/** Runs tasks on the attackers' connections. @returns the answers, by name */
export async function hail(tasks: readonly (() => Promise<Reply>)[]): Promise<Tally> {
  const answers = new Tally();
  const limit = pLimit(AT_ONCE);
  await Promise.all(tasks.map((task) => limit(async () => answers.add(nameOf(await task())))));
  return answers;
}

/**
 * Tries lists of other sites' passwords: each account gets so many, each from another address; one account gets `HARD`
 * more. All are wrong.
 */
export function stuff(
  { origins, random }: Scene,
  victims: readonly { email: string }[],
  { passwords, addresses }: { passwords: number; addresses: readonly string[] },
): Promise<Tally> {
  const guess = (email: string, nth: number) => () =>
    signInAs(random.pick(origins), { email, password: `leaked ${nth} of ${email}` }, addressed(nth));
  const addressed = (nth: number) => ({
    address: addresses[(nth * 7 + Math.floor(nth / victims.length) * 131) % addresses.length] ?? '',
  });
  const tasks = Array.from({ length: victims.length * passwords }, (_, nth) =>
    guess(victims[nth % victims.length]?.email ?? '', nth),
  );
  const hard = Array.from({ length: HARD }, (_, nth) => guess(victims[0]?.email ?? '', nth));
  return hail([...hard, ...tasks]);
}

/** Signs owners in again and again, in the browser they know and in a new one elsewhere, until told to stop. */
export function keepSigningIn({ origins, random, newAddress }: Scene, owners: readonly Owner[]) {
  const answers = new Tally();
  let slowestMs = 0;
  let isOver = false;
  const visit = async (owner: Owner, from: { address: string; cookie?: string }) => {
    const since = performance.now();
    // As the page does: while the shop is busy, it stays in line.
    for (;;) {
      const reply = await signInAs(random.pick(origins), owner, from);
      const isBusy = reply.kind === 'unanswered' || reply.httpStatus === 503;
      if (isBusy && performance.now() - since < 60_000) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        continue;
      }
      answers.add(nameOf(reply));
      break;
    }
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - since));
  };
  const running = (async () => {
    while (!isOver)
      for (const owner of owners) {
        if (isOver) break;
        await visit(owner, { address: owner.address, cookie: owner.cookies });
        await visit(owner, { address: newAddress() });
      }
  })();
  return async () => {
    isOver = true;
    await running;
    return { answers, slowestMs };
  };
}
