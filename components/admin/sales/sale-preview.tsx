'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { BuyButton } from '@/components/sale/buy-button';
import { ClaimedBar } from '@/components/sale/claimed-bar';
import { Countdown } from '@/components/sale/countdown';
import { Picture } from '@/components/sale/picture';
import { Price } from '@/components/sale/price';
import { ProductFacts } from '@/components/sale/product-facts';
import { SaleRules } from '@/components/sale/sale-rules';
import type { ProductStory, SaleListEntry, SaleTerms } from '@/components/sale/shown-sale';
import { variantChoice } from '@/components/sale/variant-choice';
import { VariantPicker } from '@/components/sale/variant-picker';
import type { SaleInfo } from '@/lib/contract/shapes/sale';

const SCHEDULED = {
  kind: 'scheduled' as const,
  isSignedIn: true,
  isReady: true,
  isReservedOnly: false,
  isChallenged: false,
};
const nothing = () => undefined;

export type PreviewedSale = SaleListEntry & SaleTerms & ProductStory & Pick<SaleInfo, 'totalStock'>;

/** Shows the page that shoppers will see, as it looks before the start. It is built of the page's own parts. */
export function SalePreview({ sale }: { sale: PreviewedSale }) {
  const t = useTranslations('AdminSales');
  const [now] = useState(() => Date.now());
  return (
    <section aria-label={t('preview')} className="grid gap-3">
      <h3 className="font-semibold text-lg">{t('preview')}</h3>
      <div className="grid gap-6 rounded-card border border-control border-dashed bg-surface p-4 sm:p-6 lg:grid-cols-2">
        <Picture src={sale.imageUrl} className="rounded-card" />
        <div className="grid content-start gap-5">
          <p className="font-bold text-2xl leading-tight tracking-tight">
            <bdi>{sale.title}</bdi>
          </p>
          <Price
            priceMinor={sale.priceMinor}
            listPriceMinor={sale.listPriceMinor}
            currency={sale.currency}
            size="page"
          />
          <ClaimedBar stock={null} totalStock={sale.totalStock} isLive={false} />
          <Countdown
            phase={now < sale.startsAt ? 'before' : 'running'}
            now={now}
            startsAt={sale.startsAt}
            endsAt={sale.endsAt}
          />
          {sale.variants.length > 0 ? <PreviewedVariants variants={sale.variants} /> : null}
          <BuyButton
            view={SCHEDULED}
            now={now}
            startsAt={sale.startsAt}
            pagePath=""
            onBuy={nothing}
            onReserve={nothing}
            onJoin={nothing}
          />
          <SaleRules sale={sale} />
          <ProductFacts sale={sale} />
        </div>
      </div>
    </section>
  );
}

/** Shows the variants as shoppers choose among them. Nothing is bought here, so the choice stays here. */
function PreviewedVariants({ variants }: Pick<PreviewedSale, 'variants'>) {
  const [chosen, setChosen] = useState(0);
  return (
    <VariantPicker
      variants={variants}
      left={undefined}
      kind="scheduled"
      choice={variantChoice(variants.length, chosen, undefined)}
      choose={setChosen}
      asked={0}
    />
  );
}
