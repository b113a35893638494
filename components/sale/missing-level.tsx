'use client';

import { useTranslations } from 'next-intl';
import { MembershipOffers } from '@/components/account/membership-offers';
import { useOwnLevel } from '@/components/account/use-own-level';
import { Notice } from '@/components/ui/notice';

/** Says which level the visitor has, and what is missing for the one that a sale asks for. */
export function MissingLevel({ minLevel }: { minLevel: number }) {
  const t = useTranslations('Level');
  const { data } = useOwnLevel();
  if (!data || data.level >= minLevel) return null;
  const { level, points, byPoints, memberships } = data;
  const enough = byPoints.find((rule) => rule.level >= minLevel);
  return (
    <Notice tone="warning" role="status">
      <p className="tabular-nums">{t('short', { level, wanted: minLevel })}</p>
      {enough ? (
        <p className="tabular-nums">
          {t('missing', { points: enough.minPoints - points, level: enough.level })}
        </p>
      ) : null}
      <MembershipOffers offers={memberships.filter((offer) => offer.level >= minLevel)} />
    </Notice>
  );
}
