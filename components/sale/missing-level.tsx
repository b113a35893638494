'use client';

import { useTranslations } from 'next-intl';
import { useOwnLevel } from '@/components/account/use-own-level';

/** Tells what level the visitor has, and what is missing for the one that a sale asks for. */
export function MissingLevel({ minLevel }: { minLevel: number }) {
  const t = useTranslations('Sale');
  const { data } = useOwnLevel();
  if (!data || data.level >= minLevel) return null;
  const { balance, level, levels } = data;
  const enough = levels.find((each) => each.level >= minLevel);
  return (
    <p role="status" className="text-muted tabular-nums">
      {enough
        ? t('levelMissing', { level, points: enough.minPoints - balance, wanted: minLevel })
        : t('levelShort', { level })}
    </p>
  );
}
