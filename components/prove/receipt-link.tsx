'use client';

import { useTranslations } from 'next-intl';
import { addressOf } from '@/components/api/request';
import { buttonStyle } from '@/components/ui/button';
import { Link } from '@/i18n/navigation';

/** Offers the proof of what was decided about the shopper in a sale, and the page that checks it. */
export function ReceiptLink({ saleId }: { saleId: string }) {
  const t = useTranslations('Proof');
  return (
    <section aria-label={t('heading')} className="grid gap-3">
      <h2 className="font-semibold text-xl">{t('heading')}</h2>
      <p className="text-muted">{t('text')}</p>
      <div className="flex flex-wrap gap-3">
        <a
          href={addressOf('GET /api/sales/{saleId}/log/receipt', { params: { saleId } })}
          download={`receipt-${saleId}.json`}
          className={buttonStyle()}
        >
          {t('download')}
        </a>
        <Link href="/prove" prefetch={false} className={buttonStyle({ tone: 'plain' })}>
          {t('check')}
        </Link>
      </div>
    </section>
  );
}
