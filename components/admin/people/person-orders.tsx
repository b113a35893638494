'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatMoney } from '@/components/ui/format-money';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Person } from '@/lib/contract/shapes/person';
import { ActionButton } from '../kit/action-button';
import { DataTable } from '../kit/data-table';
import { OrderBadge } from '../orders/order-badge';
import { useSendMail } from './use-send-mail';

interface PersonOrdersProps {
  person: Person;
  mayHelp: boolean;
}

/** Lists a person's newest orders; staff who help can send the mail of one again. */
export function PersonOrders({ person: { user, orders }, mayHelp }: PersonOrdersProps) {
  const t = useTranslations('AdminPeople');
  const locale = useLocale();
  const localDate = useLocalDate();
  const mail = useSendMail(user.userId);
  return (
    <div className="grid gap-3">
      <DataTable
        isStacked="pairs"
        columns={[
          { label: t('order') },
          { label: t('bought') },
          { label: t('sale') },
          { label: t('amount'), isNumber: true },
          { label: t('status') },
          { label: t('mail'), isHidden: true },
        ]}
      >
        {orders.map(({ orderNo, saleTitle, status, amountMinor, currency, acceptedAt }) => (
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
            <td>{saleTitle}</td>
            <td className="whitespace-nowrap text-right tabular-nums">
              {formatMoney(amountMinor, currency, locale)}
            </td>
            <td>
              <OrderBadge status={status} />
            </td>
            <td>
              {mayHelp && status !== 'failed' ? (
                <ActionButton
                  action={mail}
                  aria-label={t('mailOrderWhich', { orderNo })}
                  onPress={() => mail.mutate({ kind: 'order', orderNo })}
                >
                  {t('mailOrder')}
                </ActionButton>
              ) : null}
            </td>
          </tr>
        ))}
      </DataTable>
      <Problem error={mail.error} />
    </div>
  );
}
