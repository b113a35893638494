'use client';

import { useEffect } from 'react';
import { onSignedOutElsewhere } from './other-tabs';
import { useForgetVisitor } from './use-sign-out';

/** Lets this tab forget whoever signs out in another one. */
export function WatchSignOut() {
  const forget = useForgetVisitor();
  useEffect(() => onSignedOutElsewhere(() => void forget()), [forget]);
  return null;
}
