import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';
import { readCookie } from '@/lib/http/read-cookie';
import { randomText } from '@/lib/ids/new-id';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';

const MAX_AGE_SEC = 365 * 24 * 3600;
const DAY_SEC = 24 * 3600;
/** How many accounts a browser's cookie keeps: the ones that signed in last. */
const MOST_ACCOUNTS = 5;
const TAG_LENGTH = 16;
const ENTRY = /^([\w-]{16})-(\d{1,6})-([a-z0-9]{12})$/;
const SIGNATURE_LENGTH = 43;

/** An account that has signed in with this browser. Its tag reveals to no reader which account it is. */
type Known = {
  tag: string;
  /** Days since 1970. */
  day: number;
  /** Names the pair of browser and account. No other pair has the same name. */
  nonce: string;
};

/** Bound to this host, and to HTTPS wherever the shop is served over it. */
const cookieName = (): string => (env().isHttps ? '__Host-seckill-known' : 'seckill-known');

/**
 * Tells whether this browser has signed in to an account before, by its signed cookie (OWASP's "device cookies").
 * Such a browser is judged by its own failures, whatever strangers do to the account or to the address.
 * @param header `Cookie`
 * @returns a name for the pair of browser and account; null: it isn't known
 */
export function knownAs(header: string | null, email: string, nowMs = Date.now()): string | null {
  const tags = tagsOf(email);
  return read(header, nowMs).find((known) => tags.includes(known.tag))?.nonce ?? null;
}

/**
 * Builds a `Set-Cookie` header, for a year, that makes this browser known for the account and for those it was known
 * for before.
 */
export function rememberAccount(header: string | null, email: string, nowMs = Date.now()): string {
  const [before, tags] = [read(header, nowMs), tagsOf(email)];
  const nonce = before.find((known) => tags.includes(known.tag))?.nonce ?? randomText(12);
  const own = { tag: tagOf(email, env().nextAuthSecrets[0]), day: dayOf(nowMs), nonce };
  const all = [own, ...before.filter((known) => !tags.includes(known.tag))].slice(0, MOST_ACCOUNTS);
  const content = all.map(({ tag: each, day, nonce: name }) => `${each}-${day}-${name}`).join('.');
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  const attributes = `Path=/; Max-Age=${MAX_AGE_SEC}; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;
  return `${cookieName()}=${content}.${sign(content, key)}; ${attributes}`;
}

/** Reads the accounts that the cookie names; none if it is not one of ours. */
function read(header: string | null, nowMs: number): Known[] {
  const value = readCookie(header, cookieName()) ?? '';
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

/** Names an account by each live session key, so that a browser stays known while either kind of key is rotated. */
const tagsOf = (email: string): string[] => env().nextAuthSecrets.map((secret) => tagOf(email, secret));

const tagOf = (email: string, secret: string): string =>
  createHmac('sha256', `known account:${secret}`).update(email).digest('base64url').slice(0, TAG_LENGTH);

const sign = (content: string, key: Buffer) => createHmac('sha256', key).update(content).digest('base64url');
