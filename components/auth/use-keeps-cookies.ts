'use client';

import { useSyncExternalStore } from 'react';

const PROBE = 'seckill-probe=1';
const subscribe = () => () => {};
let kept: boolean | undefined;

/** Tries to set a cookie. Some browsers claim to keep cookies while they block them for this site: only a try tells. */
function keepsCookies(): boolean {
  if (kept !== undefined) return kept;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers later, and not in every browser
  document.cookie = `${PROBE}; Path=/; SameSite=Lax; Max-Age=5`;
  kept = document.cookie.includes(PROBE);
  return kept;
}

/** Says whether this browser keeps this site's cookies; true until that is known. */
export const useKeepsCookies = (): boolean => useSyncExternalStore(subscribe, keepsCookies, () => true);
