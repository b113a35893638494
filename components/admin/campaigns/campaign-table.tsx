'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Badge } from '@/components/ui/badge';
import { Link } from '@/i18n/navigation';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';

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
            <th scope="row">
              <Link
                href={`/admin/campaigns/${campaignId}`}
                prefetch={false}
                className="inline-flex min-h-11 items-center font-medium underline-offset-4 hover:underline"
              >
                <bdi>{title}</bdi>
              </Link>
            </th>
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
