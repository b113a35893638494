'use client';

import { useEffect } from 'react';
import { onSignedOutElsewhere } from './other-tabs';
import { useForgetVisitor } from './use-sign-out';

/** Makes this tab forget a user who signs out in another tab. */
export function WatchSignOut() {
  const forget = useForgetVisitor();
  useEffect(() => onSignedOutElsewhere(() => void forget()), [forget]);
  return null;
}
