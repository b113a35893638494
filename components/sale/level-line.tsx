'use client';

import { Suspense } from 'react';
import { useSession } from '@/components/session/use-session';
import { later } from '@/components/ui/later';

const MissingLevel = later(async () => (await import('./missing-level')).MissingLevel);

/** Tells a visitor whose level is too low for a sale what is missing; no other visitor loads what that takes. */
export function LevelLine({ minLevel }: { minLevel: number }) {
  const session = useSession();
  if (session.status !== 'signed_in' || session.user.level >= minLevel) return null;
  return (
    <Suspense>
      <MissingLevel minLevel={minLevel} />
    </Suspense>
  );
}
