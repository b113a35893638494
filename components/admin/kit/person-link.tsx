'use client';

import { useMay } from '@/components/session/use-may';
import { LINK } from '@/components/ui/link-style';
import { Link } from '@/i18n/navigation';

/** Leads to all that support sees of a person. Shows nothing to staff who may not see it. */
export function PersonLink({ userId, children }: { userId: string; children: string }) {
  if (!useMay('helpPeople')) return null;
  return (
    <Link
      href={`/admin/people?${new URLSearchParams({ who: userId })}`}
      prefetch={false}
      className={`${LINK} justify-self-start`}
    >
      {children}
    </Link>
  );
}
