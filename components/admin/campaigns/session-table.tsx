'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Badge } from '@/components/ui/badge';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { CampaignView } from '@/lib/contract/shapes/campaign';
import { DataTable } from '../kit/data-table';
import { RowLink } from '../kit/row-link';

/** Lists the sessions of a campaign, drafts included, with what each has sold. */
export function SessionTable({ sessions }: { sessions: CampaignView['sessions'] }) {
  const t = useTranslations('AdminCampaigns');
  const common = useTranslations('Common');
  const localDate = useLocalDate();
  const number = new Intl.NumberFormat(useLocale());
  if (sessions.length === 0) return <p className="text-muted">{t('noSessions')}</p>;
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold text-xl">{t('sessions')}</h2>
      <DataTable
        isStacked="pairs"
        caption={t('sessions')}
        columns={[
          { label: t('title') },
          { label: t('start') },
          { label: t('state') },
          ...(['total', 'held', 'sold', 'people'] as const).map((name) => ({
            label: t(name),
            isNumber: true,
          })),
        ]}
      >
        {sessions.map(({ saleId, title, startsAt, status, total, ...counts }) => (
          <tr key={saleId}>
            <RowLink href={`/admin/sales/${saleId}`}>{title}</RowLink>
            <td className="whitespace-nowrap tabular-nums">{localDate(startsAt, 'short')}</td>
            <td>
              <Badge tone={status === 'published' ? 'success' : 'neutral'}>{t(`sale.${status}`)}</Badge>
            </td>
            <td className="text-right tabular-nums">
              {total < 0 ? common('unlimited') : number.format(total)}
            </td>
            <td className="text-right tabular-nums">{number.format(counts.held)}</td>
            <td className="text-right tabular-nums">{number.format(counts.sold)}</td>
            <td className="text-right tabular-nums">{number.format(counts.people)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
