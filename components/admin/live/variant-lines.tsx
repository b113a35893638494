'use client';

import { useTranslations } from 'next-intl';
import type { SaleInfo } from '@/lib/contract/shapes/sale';

interface VariantLinesProps {
  variants: SaleInfo['variants'];
  /** Units left of each; undefined while that is not known. */
  left: readonly number[] | undefined;
}

/** Shows how much of each variant is left. */
export function VariantLines({ variants, left }: VariantLinesProps) {
  const t = useTranslations('Admin');
  return (
    <ul
      aria-label={t('form.variants.heading')}
      className="mt-3 grid gap-x-8 gap-y-1 border-line border-t pt-3 sm:grid-cols-2 lg:grid-cols-3"
    >
      {variants.map(({ name, stock }, index) => {
        const units = left?.[index];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its number
          <li key={index} className="flex items-baseline justify-between gap-3">
            <bdi className="wrap-anywhere min-w-0">{name}</bdi>
            <span className="shrink-0 text-muted tabular-nums">
              {units === undefined ? t('variantStock', { stock }) : t('variantOf', { left: units, stock })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
