'use client';

import { useTranslations } from 'next-intl';
import { CampaignLine } from '@/components/campaign/campaign-line';
import { useClockSync } from '@/components/clock/use-clock-sync';
import { useServerNow } from '@/components/clock/use-server-now';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Link } from '@/i18n/navigation';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { Countdown } from './countdown';
import { Picture } from './picture';
import { Price } from './price';
import { salePhase } from './sale-phase';
import type { SaleListEntry } from './shown-sale';

interface NextSaleProps {
  sale: SaleListEntry;
  /** The sale's live state; null until the browser has fetched it. */
  live: LiveSale | null;
  /** When the static page was made, epoch ms. */
  madeAt: number;
}

/** Leads the list with the sale that starts next and its countdown. It stays there when the sale has started. */
export function NextSale({ sale, live, madeAt }: NextSaleProps) {
  const t = useTranslations('Sales');
  const startsAt = live?.startsAt ?? sale.startsAt;
  const endsAt = live?.endsAt ?? sale.endsAt;
  useClockSync(sale.saleId, startsAt);
  const isAhead = live === null || live.status === 'scheduled';
  const { now } = useServerNow(isAhead ? startsAt : endsAt);
  return (
    <Card className="group relative grid overflow-hidden has-focus-visible:outline-3 has-focus-visible:outline-text has-focus-visible:outline-offset-2 md:grid-cols-2">
      <Picture src={sale.imageUrl} isFirst shape="aspect-2/1 md:aspect-auto md:size-full" />
      <div className="grid content-center gap-4 p-5 sm:p-8">
        <span className="flex flex-wrap gap-2">
          <Badge tone={live?.status === 'live' ? 'accent' : 'neutral'}>
            {t(isAhead ? 'upNext' : live.status)}
          </Badge>
          {sale.admission === 'first_come' ? null : <Badge tone="neutral">{t(sale.admission)}</Badge>}
        </span>
        <div className="grid gap-2">
          <h2 className="font-bold text-2xl leading-tight tracking-tight sm:text-3xl">
            <Link
              href={`/sales/${sale.slug}`}
              prefetch={false}
              className="outline-none after:absolute after:inset-0 group-hover:underline group-hover:underline-offset-4"
            >
              {sale.title}
            </Link>
          </h2>
          {sale.campaign ? <CampaignLine campaign={sale.campaign} isOnCard /> : null}
          <Price
            priceMinor={sale.priceMinor}
            listPriceMinor={sale.listPriceMinor}
            currency={sale.currency}
            size="card"
          />
        </div>
        <Countdown
          phase={salePhase({ state: live, now, startsAt, endsAt })}
          now={now}
          startsAt={startsAt}
          endsAt={endsAt}
          madeAt={madeAt}
        />
      </div>
    </Card>
  );
}
