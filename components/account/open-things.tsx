'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { DeletionView } from '@/lib/contract/shapes/account';

/** Tells whether the shop would refuse to delete the account as it is now. */
export const isInTheWay = ({
  unpaidOrders,
  liveSales,
  ledShops,
  isLastAdmin,
  isDemo,
}: DeletionView): boolean =>
  isDemo || isLastAdmin || unpaidOrders.length + liveSales.length + ledShops.length > 0;

/** Says what has to be done before an account can be deleted, or else what its owner gives up by that. */
export function OpenThings({ deletion }: { deletion: DeletionView }) {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const { unpaidOrders, liveSales, ledShops, places, isLastAdmin, isDemo } = deletion;
  if (isDemo) return <Notice>{t('deleteDemo')}</Notice>;
  if (isInTheWay(deletion))
    return (
      <Notice tone="warning">
        <div className="grid gap-3">
          <p className="font-medium">{t('deleteFirst')}</p>
          {isLastAdmin ? <p>{t('deleteLastAdmin')}</p> : null}
          <Things heading={t('deleteUnpaid', { count: unpaidOrders.length })}>
            {unpaidOrders.map(({ orderNo, title, payBy }) => (
              <Thing key={orderNo} href={`/orders/${orderNo}`} title={title}>
                {t('payBy', { time: localDate(payBy, 'short') })}
              </Thing>
            ))}
          </Things>
          <Things heading={t('deleteSales', { count: liveSales.length })}>
            {liveSales.map(({ saleId, title }) => (
              <Thing key={saleId} href={`/admin/sales/${saleId}`} title={title} />
            ))}
          </Things>
          <Things heading={t('deleteShops')}>
            {ledShops.map(({ shopId, name }) => (
              <Thing key={shopId} href={`/admin/shop?shop=${shopId}`} title={name} />
            ))}
          </Things>
        </div>
      </Notice>
    );
  if (places.length === 0) return null;
  return (
    <Notice>
      <Things heading={t('deletePlaces', { count: places.length })}>
        {places.map(({ saleId, slug, title, kind }) => (
          <Thing key={`${saleId} ${kind}`} href={`/sales/${slug}`} title={title}>
            {t(`deletePlace.${kind}`)}
          </Thing>
        ))}
      </Things>
    </Notice>
  );
}

/** A heading with links; nothing if there are none. */
function Things({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div className="grid gap-1">
      <p>{heading}</p>
      <ul className="grid list-disc gap-1 pl-5">{children}</ul>
    </div>
  );
}

function Thing({ href, title, children }: { href: string; title: string; children?: ReactNode }) {
  return (
    <li>
      <Link href={href} prefetch={false} className="underline">
        <bdi>{title}</bdi>
      </Link>
      {children === undefined ? null : <span className="tabular-nums"> · {children}</span>}
    </li>
  );
}
