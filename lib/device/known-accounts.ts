import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';
import { hostCookie } from '@/lib/host-cookie';
import { randomText } from '@/lib/ids/new-id';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';

const MAX_AGE_SEC = 365 * 24 * 3600;
const DAY_SEC = 24 * 3600;
/** How many names a browser's cookie keeps: those that signed in last. An account with a second factor has two. */
const MOST_NAMES = 10;
const TAG_LENGTH = 16;
const ENTRY = /^([\w-]{16})-(\d{1,6})-([a-z0-9]{12})$/;
const SIGNATURE_LENGTH = 43;

/** A name that has signed in with this browser. Its tag reveals to no reader which account it is. */
type Known = {
  tag: string;
  /** Days since 1970. */
  day: number;
  /** Names the pair of browser and account. No other pair has the same name. */
  nonce: string;
};

const cookie = hostCookie('seckill-known');

/**
 * Tells whether this browser has signed in to an account before, by its signed cookie (OWASP's "device cookies").
 * Such a browser is judged by its own failures, whatever strangers do to the account or to the address.
 * @param header `Cookie`
 * @param name the account's address, or another name that was remembered for it
 * @returns a name for the pair of browser and account; null: it isn't known
 */
export function knownAs(header: string | null, name: string, nowMs = Date.now()): string | null {
  return findOwn(read(header, nowMs), name)?.nonce ?? null;
}

/**
 * Builds a `Set-Cookie` header, for a year, that makes this browser known for an account and for those it was known for
 * before.
 * @param names of the account: its address, and others if it has any
 */
export function rememberAccount(header: string | null, names: readonly string[], nowMs = Date.now()): string {
  const before = read(header, nowMs);
  const own = names.map((name) => ({
    tag: tagOf(name, env().nextAuthSecrets[0]),
    day: dayOf(nowMs),
    nonce: findOwn(before, name)?.nonce ?? randomText(12),
  }));
  const tags = names.flatMap(tagsOf);
  const all = [...own, ...before.filter(({ tag }) => !tags.includes(tag))].slice(0, MOST_NAMES);
  const content = all.map(({ tag: each, day, nonce: name }) => `${each}-${day}-${name}`).join('.');
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  return cookie.write(`${content}.${sign(content, key)}`, MAX_AGE_SEC * 1_000);
}

/** Reads the accounts that the cookie names; none if it is not one of ours. */
function read(header: string | null, nowMs: number): Known[] {
  const value = cookie.read(header);
  const content = value.slice(0, -SIGNATURE_LENGTH - 1);
  if (!keys().some((key) => isSameText(`${content}.${sign(content, key)}`, value))) return [];
  return content
    .split('.')
    .flatMap((text) => {
      const [, tag, day, nonce] = ENTRY.exec(text) ?? [];
      return tag && nonce ? [{ tag, day: Number(day), nonce }] : [];
    })
    .filter(({ day }) => (dayOf(nowMs) - day) * DAY_SEC <= MAX_AGE_SEC);
}

const dayOf = (nowMs: number) => Math.floor(nowMs / 1_000 / DAY_SEC);

const keys = () => purposeKeys('known accounts');

/** Finds what a cookie says of an account, by whichever live key it was named. */
const findOwn = (all: readonly Known[], name: string): Known | undefined => {
  const tags = tagsOf(name);
  return all.find(({ tag }) => tags.includes(tag));
};

/** Uses the session secrets as keys, so tags stay the same when entry keys are rotated. The newest comes first. */
const tagsOf = (name: string): string[] => env().nextAuthSecrets.map((secret) => tagOf(name, secret));

const tagOf = (name: string, secret: string): string =>
  createHmac('sha256', `known account:${secret}`).update(name).digest('base64url').slice(0, TAG_LENGTH);

const sign = (content: string, key: Buffer) => createHmac('sha256', key).update(content).digest('base64url');
