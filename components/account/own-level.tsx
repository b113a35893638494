'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import { MembershipOffers } from './membership-offers';
import { useOwnLevel } from './use-own-level';

/** Shows the visitor's level and points, and what leads to a higher level; nothing where the shop has no levels. */
export function OwnLevel() {
  const t = useTranslations('Level');
  const localDate = useLocalDate();
  const { data } = useOwnLevel();
  if (!data) return null;
  const { level, until, points, byPoints, memberships } = data;
  if (level === 0 && byPoints.length === 0 && memberships.length === 0) return null;
  const next = byPoints.find((rule) => rule.level > level);
  return (
    <Card className="p-5 sm:p-6">
      <section aria-labelledby="level" className="grid gap-2">
        <h2 id="level" className="font-semibold text-xl">
          {t('heading')}
        </h2>
        <p className="text-lg tabular-nums">{t('now', { level, points })}</p>
        {until === null ? null : <p>{t('until', { time: localDate(until) })}</p>}
        {next ? (
          <p className="tabular-nums">{t('next', { level: next.level, points: next.minPoints - points })}</p>
        ) : null}
        <MembershipOffers offers={memberships.filter((offer) => offer.level >= Math.max(level, 1))} />
        {byPoints.length > 0 ? <p className="text-muted">{t('how')}</p> : null}
      </section>
    </Card>
  );
}
