'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useOwnLevel } from './use-own-level';

/** Shows the visitor's level and points, and what the next level takes; nothing where nobody has a level. */
export function OwnLevel() {
  const t = useTranslations('Account.level');
  const localDate = useLocalDate();
  const { data } = useOwnLevel();
  if (!data) return null;
  const { balance, level, levelUntil, levels } = data;
  if (level === 0 && levels.length === 0) return null;
  const next = levels.find((each) => each.level > level);
  return (
    <section aria-labelledby="level" className="grid gap-2">
      <h2 id="level" className="font-semibold text-xl">
        {t('heading')}
      </h2>
      <p className="text-lg tabular-nums">{t('now', { level, points: balance })}</p>
      {levelUntil === null ? null : <p>{t('until', { time: localDate(levelUntil) })}</p>}
      {next ? (
        <p className="text-muted tabular-nums">
          {t('next', { level: next.level, points: next.minPoints - balance })}
        </p>
      ) : null}
      <p className="text-muted">{t('how')}</p>
    </section>
  );
}
