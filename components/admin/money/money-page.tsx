'use client';

import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import { addressOf } from '@/components/api/request';
import { buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ChoiceField } from '../kit/choice-field';
import { startOfDays } from './start-of-days';
import { TakingsCards } from './takings-cards';
import { TakingsTable } from './takings-table';
import { useTakings } from './use-takings';

const PERIODS = ['7', '30', '90', '365'] as const;
type Period = (typeof PERIODS)[number];
const BY = ['day', 'sale'] as const;

/** Shows what the shop took, by day or by sale. */
function Money() {
  const t = useTranslations('AdminMoney');
  const common = useTranslations('Common');
  const [period, setPeriod] = useState<Period>('30');
  const [by, setBy] = useState<(typeof BY)[number]>('day');
  const asked = useMemo(
    () => ({ from: startOfDays(Number(period)), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    [period],
  );
  const { data, error } = useTakings({ ...asked, by });
  return (
    <PageFrame
      words="AdminMoney"
      className="gap-6"
      beside={
        <a
          href={addressOf('GET /api/admin/takings/export', { query: { ...asked, by } })}
          download
          className={buttonStyle()}
        >
          {t('export')}
        </a>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2 lg:max-w-xl">
        <ChoiceField
          label={t('period')}
          value={period}
          choices={PERIODS}
          nameOf={(days) => t('lastDays', { days: Number(days) })}
          onChoose={setPeriod}
        />
        <ChoiceField label={t('by')} value={by} choices={BY} nameOf={(one) => t(one)} onChoose={setBy} />
      </div>
      <Problem error={error} />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <TakingsCards asked={{ ...asked, by: 'all' }} />
      </div>
      {data ? (
        data.takings.length > 0 ? (
          <TakingsTable takings={data.takings} by={by} />
        ) : (
          <Notice>{t('empty')}</Notice>
        )
      ) : error ? null : (
        <p className="text-muted">{common('loading')}</p>
      )}
    </PageFrame>
  );
}

export const MoneyPage = adminPage(Money);
