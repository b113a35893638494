'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Badge } from '@/components/ui/badge';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { RowLink } from '../kit/row-link';

/** Lists the merchant's campaigns, page by page. */
export function CampaignTable() {
  const t = useTranslations('AdminCampaigns');
  const number = new Intl.NumberFormat(useLocale());
  const { query, items: campaigns } = useList('GET /api/admin/campaigns');
  return (
    <Paged query={query} isEmpty={campaigns.length === 0} empty={t('empty')}>
      <DataTable
        isStacked="pairs"
        caption={t('heading')}
        columns={[
          { label: t('title') },
          { label: t('state') },
          { label: t('limit'), isNumber: true },
          { label: t('sales'), isNumber: true },
        ]}
      >
        {campaigns.map(({ campaignId, title, status, limitPerUser, sales }) => (
          <tr key={campaignId}>
            <RowLink href={`/admin/campaigns/${campaignId}`}>{title}</RowLink>
            <td>
              <Badge tone={status === 'open' ? 'success' : 'neutral'}>{t(`status.${status}`)}</Badge>
            </td>
            <td className="text-right tabular-nums">
              {limitPerUser === null ? t('noLimit') : number.format(limitPerUser)}
            </td>
            <td className="text-right tabular-nums">{number.format(sales)}</td>
          </tr>
        ))}
      </DataTable>
    </Paged>
  );
}
