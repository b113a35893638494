import type { DeviceRefusals } from '@/lib/contract/shapes/block';
import type { HeaderReader } from '@/lib/http/request-head';
import { newId } from '@/lib/ids/new-id';
import { coarseBrowser } from './coarse-browser';
import { MAX_AGE_SEC, readDeviceCookie, writeDeviceCookie } from './device-cookie';

/** A cookie older than this is issued again with the same id, so that a device in use keeps its id for ever. */
const RENEW_AFTER_SEC = 30 * 24 * 3600;

/** Why a device cookie was not believed. */
export type DeviceRefusal = keyof DeviceRefusals;

export type Device = {
  /** Empty unless the browser has shown that it keeps our cookie: then only address and account tell shoppers apart. */
  deviceId: string;
  /** The `Set-Cookie` header to answer with, if any. */
  setCookie: string | null;
  refusal: DeviceRefusal | null;
};

/**
 * Identifies the device of a request by its signed cookie. A cookie that was altered, has expired or comes from
 * another kind of browser counts as none, and the device gets a new one. A browser that keeps no cookies is served
 * too.
 */
export function identifyDevice(headers: HeaderReader, nowMs = Date.now()): Device {
  const nowSec = Math.floor(nowMs / 1000);
  const browser = coarseBrowser(headers);
  const write = (deviceId: string) => writeDeviceCookie({ deviceId, issuedAtSec: nowSec, browser });
  const cookie = readDeviceCookie(headers.get('cookie'));
  const refusal = cookie && refusalOf(cookie, browser, nowSec);
  if (cookie === null || cookie === 'altered' || refusal !== null)
    return { deviceId: '', setCookie: write(newId('device')), refusal };
  const isDue = cookie.isOldKey || nowSec - cookie.issuedAtSec > RENEW_AFTER_SEC;
  return { deviceId: cookie.deviceId, setCookie: isDue ? write(cookie.deviceId) : null, refusal: null };
}

function refusalOf(
  cookie: Exclude<ReturnType<typeof readDeviceCookie>, null>,
  browser: string,
  nowSec: number,
): DeviceRefusal | null {
  if (cookie === 'altered') return 'altered';
  if (nowSec - cookie.issuedAtSec > MAX_AGE_SEC) return 'expired';
  return cookie.browser === browser ? null : 'other_browser';
}
