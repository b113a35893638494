import { useLocale, useTranslations } from 'next-intl';

interface PriceTermsProps {
  /** Hundredths of a percent; null: nothing is said. */
  taxRate: number | null;
  costsShipping: boolean;
}

/** Says what a price includes, and what comes on top. */
export function PriceTerms({ taxRate, costsShipping }: PriceTermsProps) {
  const t = useTranslations('Sale');
  const locale = useLocale();
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const terms = [
    ...(taxRate ? [t('taxIncluded', { percent: format.format(taxRate / 10_000) })] : []),
    ...(costsShipping ? [t('plusShipping')] : []),
  ];
  return terms.length === 0 ? null : <p className="text-muted text-sm">{terms.join(' ')}</p>;
}
