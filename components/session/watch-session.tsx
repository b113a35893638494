'use client';

import { useEffect } from 'react';
import { onSessionNews } from './other-tabs';
import { useRefreshSession } from './use-session';
import { useForgetVisitor } from './use-sign-out';

/** Makes this tab forget a user who signs out in another tab, and ask again who is signed in when that may have changed. */
export function WatchSession() {
  const forget = useForgetVisitor();
  const refresh = useRefreshSession();
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === 'signed-out') void forget();
        if (news === 'changed') void refresh();
      }),
    [forget, refresh],
  );
  return null;
}
