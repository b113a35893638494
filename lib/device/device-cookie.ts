import { env } from '@/lib/env';
import { type HmacKey, hmac, prepareHmacKey } from '@/lib/hmac';
import { hostCookie } from '@/lib/host-cookie';
import { isSameText, purposeKeys } from '@/lib/purpose-keys';

/** The content of a device cookie. */
type DeviceCookie = {
  deviceId: string;
  /** Epoch s. */
  issuedAtSec: number;
  /** The kind of browser that got the cookie. */
  browser: string;
  /** Signed with the key before the newest one. */
  isOldKey: boolean;
};

export const MAX_AGE_SEC = 365 * 24 * 3600;

/** Characters of the longest content. */
const LONGEST = 64;
const FORMAT = /^(device_[a-z0-9]{26})\.(\d{1,12})\.([\w-]{8})\.([\w-]{43})$/;

const { name: cookieName, write } = hostCookie('seckill-device');

/** Builds a `Set-Cookie` header for a year; the page's scripts can't read the cookie. */
export function writeDeviceCookie(cookie: Omit<DeviceCookie, 'isOldKey'>): string {
  const content = contentOf(cookie);
  const [key] = keys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  return write(`${content}.${hmac(content, key)}`, MAX_AGE_SEC * 1_000);
}

/** Reads the device cookie from a `Cookie` header: null if there is none, `altered` if it is not one of ours. */
export function readDeviceCookie(header: string | null): DeviceCookie | 'altered' | null {
  const start = `${cookieName()}=`;
  const pair = header?.split(';').find((each) => each.trimStart().startsWith(start));
  if (pair === undefined) return null;
  const [, deviceId, issued, browser, signature] = FORMAT.exec(pair.trim().slice(start.length)) ?? [];
  if (!deviceId || !issued || !browser || !signature) return 'altered';
  const cookie = { deviceId, issuedAtSec: Number(issued), browser };
  const at = keys().findIndex((key) => isSameText(hmac(contentOf(cookie), key), signature));
  return at < 0 ? 'altered' : { ...cookie, isOldKey: at > 0 };
}

const contentOf = ({ deviceId, issuedAtSec, browser }: Omit<DeviceCookie, 'isOldKey'>) =>
  `${deviceId}.${issuedAtSec}.${browser}`;

function keys(): readonly HmacKey[] {
  const secrets = env().entrySecrets;
  if (cached?.secrets !== secrets) {
    cached = { secrets, keys: purposeKeys('device cookie').map((key) => prepareHmacKey(key, LONGEST)) };
  }
  return cached.keys;
}
let cached: { secrets: readonly string[]; keys: HmacKey[] } | undefined;
