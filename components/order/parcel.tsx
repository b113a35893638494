import { useTranslations } from 'next-intl';
import { LINK } from '@/components/ui/link-style';
import type { OrderDelivery } from '@/lib/contract/shapes/delivery';

/** Returns when a parcel took its latest step, epoch ms; null: it has taken none. */
export const movedAt = ({ returnedAt, deliveredAt, shippedAt, packedAt }: OrderDelivery) =>
  returnedAt ?? deliveredAt ?? shippedAt ?? packedAt;

/** Links to the carrier's page about a parcel. Shows nothing for an address that is no http(s) one. */
export function TrackLink({ href }: { href: string | null }) {
  const t = useTranslations('Delivery');
  if (!href || !/^https?:\/\//.test(href)) return null;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={`${LINK} justify-self-start`}>
      {t('track')}
    </a>
  );
}
