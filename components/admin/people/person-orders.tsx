'use client';

import { useLocale, useTranslations } from 'next-intl';
import { ItemName } from '@/components/order/item-name';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Person } from '@/lib/contract/shapes/person';
import { formatMoney } from '@/lib/money';
import { ActionButton } from '../kit/action-button';
import { DataTable } from '../kit/data-table';
import { OrderBadge } from '../orders/order-badge';
import { useSendMail } from './use-send-mail';

/** Lists a person's newest orders. The mail about each can be sent again. */
export function PersonOrders({ person: { user, orders } }: { person: Person }) {
  const t = useTranslations('AdminPeople');
  const words = useTranslations('AdminOrders');
  const locale = useLocale();
  const localDate = useLocalDate();
  const mail = useSendMail(user.userId);
  return (
    <div className="grid gap-3">
      <DataTable
        caption={t('orders')}
        isStacked="pairs"
        columns={[
          ...(['order', 'bought', 'sale'] as const).map((name) => ({ label: words(name) })),
          { label: words('amount'), isNumber: true },
          { label: words('status') },
          { label: t('mailAgain'), isHidden: true },
        ]}
      >
        {orders.map(
          ({ orderNo, saleTitle, variantName, status, amountMinor, refundedMinor, currency, acceptedAt }) => (
            <tr key={orderNo}>
              <th scope="row">
                <Link
                  href={`/admin/orders/${orderNo}`}
                  prefetch={false}
                  className="inline-flex min-h-11 items-center font-medium tabular-nums underline underline-offset-4"
                >
                  {orderNo}
                </Link>
              </th>
              <td className="whitespace-nowrap tabular-nums">{localDate(acceptedAt, 'short')}</td>
              <td>
                <ItemName saleTitle={saleTitle} variantName={variantName} />
              </td>
              <td className="whitespace-nowrap text-right tabular-nums">
                {formatMoney(amountMinor, currency, locale)}
              </td>
              <td>
                <OrderBadge status={status} refundedMinor={refundedMinor} />
              </td>
              <td>
                {status === 'failed' || user.deletedAt !== null ? null : (
                  <ActionButton
                    action={mail}
                    aria-label={t('mailAbout', { orderNo })}
                    onPress={() => mail.mutate({ kind: 'order', orderNo })}
                  >
                    {t('mailAgain')}
                  </ActionButton>
                )}
              </td>
            </tr>
          ),
        )}
      </DataTable>
      <Problem error={mail.error} />
    </div>
  );
}
