import { setTimeout as sleep } from 'node:timers/promises';
import { sealSecret } from '@/lib/account/factors/seal-secret';
import { createTotpSecret } from '@/lib/account/factors/totp';
import { hashPassword } from '@/lib/account/hash-password';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { nameOf, patiently } from '@/tools/harness/client';
import { farmAccounts, floodResets, guessCodes, guessTokens } from './guessing';
import type { ScenarioReport, Tally } from './report';
import type { Scene } from './run-attack';
import { HARD, keepSigningIn, type Owner, signInAs, stuff } from './stuffing';

export type AccountsSize = {
  victims: number;
  /** For each of them. */
  passwords: number;
  addresses: number;
  owners: number;
  registrations: number;
  resets: number;
  tokens: number;
  codes: number;
};

const FARM_ADDRESSES = 5;
const GUESSING_ADDRESSES = 10;
/** Of each kind of request that costs something, from one address in an hour (`claimRequest`). */
const FREE = 20;
const KINDS_OF_TOKENS = 5;
const FREE_CODES = 5;
/** Figures are published every 5 s, and alerts looked at as often. */
const ALERT_WITHIN_MS = 60_000;
const PASSWORD = 'a password that nobody guesses';

/**
 * Attacks accounts in every way that needs no hole: lists of leaked passwords, made accounts, mails to reset passwords,
 * guessed links and codes. Meanwhile the owners sign in.
 */
export async function runAccounts(scene: Scene, size: AccountsSize): Promise<ScenarioReport> {
  const victims = await makeVictims(size.victims);
  const owners = await meetOwners(scene, victims.slice(0, size.owners));
  const guarded = await guard(victims.at(-1) as Victim);
  const addresses = Array.from({ length: size.addresses }, () => scene.newAddress());
  const some = (count: number) => Array.from({ length: count }, () => scene.newAddress());
  const before = await stateOf(victims);
  const since = new Date();

  const stop = keepSigningIn(scene, owners);
  const from = performance.now();
  const stuffed = await stuff(scene, victims, { passwords: size.passwords, addresses });
  const farm = await farmAccounts(scene, {
    registrations: size.registrations,
    addresses: some(FARM_ADDRESSES),
  });
  const resets = await floodResets(scene, owners, size.resets);
  const tokens = await guessTokens(scene, owners, {
    guesses: size.tokens,
    addresses: some(GUESSING_ADDRESSES),
  });
  const codes = await guessCodes(scene, guarded, size.codes);
  const tookSec = Math.round((performance.now() - from) / 1_000);
  const { answers: visits, slowestMs } = await stop();
  const alerts = await alertsSince(since);
  const changed = await countChanged(before);

  const tries = size.victims * size.passwords + HARD;
  const waitsWithin = Math.ceil(Math.log2(tookSec + 1));
  const mostMade = FARM_ADDRESSES * (FREE + waitsWithin);
  // The first at once, then one a minute, two minutes, four …
  const mostMails = size.owners * (1 + Math.ceil(Math.log2(tookSec / 60 + 2)));
  const mostTokens = KINDS_OF_TOKENS * GUESSING_ADDRESSES * (FREE + waitsWithin);
  const row = (name: string, count: number, answers: Tally) => [name, String(count), String(answers)];
  return {
    scenario: 'accounts',
    model: `${size.passwords} leaked passwords for each of ${size.victims} accounts and ${HARD} more for one, from ${size.addresses} addresses; ${size.registrations} registrations from ${FARM_ADDRESSES} addresses; ${size.resets} mails to reset ${size.owners} passwords, each asked for from another address; ${size.tokens} guessed tokens of links from ${GUESSING_ADDRESSES} addresses; ${size.codes} one-time codes for a stolen password, each from another address. Meanwhile ${size.owners} owners sign in again and again, in the browser they know and in a new one elsewhere. It took ${tookSec} s`,
    columns: ['', 'requests', 'answers'],
    rows: [
      row('leaked passwords', tries, stuffed),
      row('registrations', size.registrations, farm.answers),
      row('mails to reset', size.resets, resets),
      row('tokens of links', size.tokens, tokens),
      row('one-time codes', size.codes, codes),
      row('owners who sign in', sum(visits), visits),
    ],
    targets: [
      atMost('accounts taken over or changed', successes(stuffed, tokens, codes) + changed, 0),
      atMost('owners refused or made to wait by the shop', sum(visits) - (visits.counts['200'] ?? 0), 0),
      {
        what: 'owners’ sign-ins during the attack',
        target: `≥ ${2 * size.owners}`,
        measured: `${sum(visits)}, the slowest in ${slowestMs} ms`,
        isMet: sum(visits) >= 2 * size.owners,
      },
      atMost('accounts of the farm', farm.made, mostMade),
      atMost('mails to reset passwords', resets.counts['202'] ?? 0, mostMails),
      atMost('tokens of links that were looked at', lookedAt(tokens), mostTokens),
      atMost('one-time codes that were checked', lookedAt(codes), FREE_CODES + waitsWithin),
      {
        what: 'alerts raised',
        target: 'accounts_attacked',
        measured: alerts.join(', ') || 'none',
        isMet: alerts.includes('accounts_attacked'),
      },
    ],
  };
}

const atMost = (what: string, count: number, most: number) => ({
  what,
  target: most === 0 ? '0' : `≤ ${most}`,
  measured: String(count),
  isMet: count <= most,
});
const sum = ({ counts }: Tally): number => Object.values(counts).reduce((total, count) => total + count, 0);
const matching = ({ counts }: Tally, pattern: RegExp): number =>
  Object.entries(counts).reduce((total, [name, count]) => total + (pattern.test(name) ? count : 0), 0);
const successes = (...tallies: Tally[]): number =>
  tallies.reduce((total, tally) => total + matching(tally, /^[23]/), 0);
/** Neither refused by a limit nor unanswered. */
const lookedAt = (tally: Tally): number => sum(tally) - matching(tally, /^(429|5|unanswered)/);

type Victim = { userId: string; email: string; password: string };

async function makeVictims(count: number): Promise<Victim[]> {
  const passwordHash = await hashPassword(PASSWORD);
  const victims = Array.from({ length: count }, () => {
    const userId = newId('user');
    return { userId, email: `${userId}@example.com`, password: PASSWORD };
  });
  await db().user.createMany({
    data: victims.map(({ userId: id, email }) => ({ id, email, name: 'Victim', passwordHash })),
  });
  return victims;
}

/** Signs owners in before anything happens, so that a browser of theirs is known. */
async function meetOwners(scene: Scene, victims: readonly Victim[]): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (const victim of victims) {
    const address = scene.newAddress();
    const reply = await patiently(() => signInAs(scene.origins[0] ?? '', victim, { address }));
    if (reply.kind === 'unanswered' || reply.httpStatus !== 200)
      throw new Error(`an owner could not sign in before the attack: ${nameOf(reply)}`);
    owners.push({ ...victim, address, cookies: reply.cookies.join('; ') });
  }
  return owners;
}

/** Gives an account a second factor. */
async function guard(victim: Victim): Promise<Victim> {
  const { userId } = victim;
  const now = new Date();
  await db().totpFactor.create({
    data: { userId, ...sealSecret(userId, createTotpSecret()), confirmedAt: now },
  });
  await db().user.update({ where: { id: userId }, data: { secondFactorAt: now } });
  return victim;
}

type State = Map<string, string>;

async function stateOf(victims: readonly { userId: string }[]): Promise<State> {
  const rows = await db().user.findMany({ where: { id: { in: victims.map(({ userId }) => userId) } } });
  return new Map(
    rows.map(({ id, email, passwordHash, role, sessionVersion, emailVerifiedAt, secondFactorAt }) => [
      id,
      JSON.stringify([email, passwordHash, role, sessionVersion, emailVerifiedAt, secondFactorAt]),
    ]),
  );
}

async function countChanged(before: State): Promise<number> {
  const now = await stateOf([...before.keys()].map((userId) => ({ userId })));
  return [...before].filter(([userId, state]) => now.get(userId) !== state).length;
}

/** Waits for the alert that an account is under attack. @returns the rules that have alerted */
async function alertsSince(since: Date): Promise<string[]> {
  const until = Date.now() + ALERT_WITHIN_MS;
  for (;;) {
    const rows = await db().alert.findMany({ where: { firedAt: { gte: since } }, select: { rule: true } });
    const rules = [...new Set(rows.map(({ rule }) => rule))].filter((rule) => /sign_in|accounts/.test(rule));
    if (rules.includes('accounts_attacked') || Date.now() > until) return rules.sort();
    await sleep(500);
  }
}
