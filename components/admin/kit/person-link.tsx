'use client';

import { useMay } from '@/components/session/use-may';
import { Link } from '@/i18n/navigation';

/** Leads to all that support sees of a person. Shows nothing to staff who may not see it. */
export function PersonLink({ userId, children }: { userId: string; children: string }) {
  if (!useMay('helpPeople')) return null;
  return (
    <Link
      href={`/admin/people?${new URLSearchParams({ who: userId })}`}
      prefetch={false}
      className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
    >
      {children}
    </Link>
  );
}
