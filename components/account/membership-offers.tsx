'use client';

import { useTranslations } from 'next-intl';
import { Link } from '@/i18n/navigation';
import type { OwnLevel } from '@/lib/contract/shapes/level';
import { isolated } from '@/lib/human-text';

/** Lists memberships that give a level, each with the way to its sale if there is one. */
export function MembershipOffers({ offers }: { offers: OwnLevel['memberships'] }) {
  const t = useTranslations('Level');
  if (offers.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {offers.map(({ level, days, name, slug }) => (
        <li key={`${name} ${level} ${days}`}>
          {t('membership', { name: isolated(name), level, days })}
          {slug === null ? null : (
            <>
              {' '}
              <Link
                href={`/sales/${slug}`}
                prefetch={false}
                className="font-semibold underline underline-offset-4"
              >
                {t('toMembership')}
              </Link>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
