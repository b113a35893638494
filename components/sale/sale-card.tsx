'use client';

import { useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import type { SaleAdmission, SalePhase } from '@/lib/contract/words/sale';
import { isolated } from '@/lib/human-text';
import { ClaimedBar } from './claimed-bar';
import { Picture } from './picture';
import { Price } from './price';
import type { SaleListEntry } from './shown-sale';

const TONES: Record<SalePhase, BadgeTone> = {
  live: 'accent',
  scheduled: 'neutral',
  paused: 'warning',
  sold_out: 'neutral',
  ended: 'neutral',
};

/** Messages for what people have to do before they may buy. */
const ADMISSION_BADGES = {
  first_come: null,
  waiting_room: 'waiting_room',
  draw: 'draw',
} as const satisfies Record<SaleAdmission, string | null>;

interface SaleCardProps {
  sale: SaleListEntry;
  /** The sale's live state; null until the browser has fetched it. */
  live: LiveSale | null;
  isFirst: boolean;
}

export function SaleCard({ sale, live, isFirst }: SaleCardProps) {
  const t = useTranslations('Sales');
  const localDate = useLocalDate();
  const status = live?.status ?? null;
  const startsAt = live?.startsAt ?? sale.startsAt;
  const endsAt = live?.endsAt ?? sale.endsAt;
  const when =
    status === 'ended'
      ? t('endedOn', { date: localDate(endsAt, 'short') })
      : status === 'live' || status === 'paused' || status === 'sold_out'
        ? t('ends', { date: localDate(endsAt, 'short') })
        : t('starts', { date: localDate(startsAt, 'short') });
  const badge = live?.paused && status === 'scheduled' ? 'paused' : status;
  const admission = ADMISSION_BADGES[sale.admission];
  const isOver = status === 'ended' || status === 'sold_out';
  return (
    <Card className="group relative flex w-full flex-col overflow-hidden has-focus-visible:outline-3 has-focus-visible:outline-text has-focus-visible:outline-offset-2">
      <Picture src={sale.imageUrl} isFirst={isFirst} className={isOver ? 'opacity-60 grayscale' : ''} />
      <div className="flex flex-1 flex-col gap-3 p-5">
        <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
          <span className="flex flex-wrap gap-2">
            {badge ? <Badge tone={TONES[badge]}>{t(badge)}</Badge> : null}
            {admission ? <Badge tone="neutral">{t(admission)}</Badge> : null}
          </span>
          <span className="text-muted text-sm tabular-nums">{when}</span>
        </div>
        <h2 className="font-semibold text-lg leading-snug">
          <Link
            href={`/sales/${sale.slug}`}
            prefetch={false}
            className="outline-none after:absolute after:inset-0 group-hover:underline group-hover:underline-offset-4"
          >
            <bdi>{sale.title}</bdi>
          </Link>
        </h2>
        {sale.campaign ? (
          <p className="-my-2 text-muted text-sm">
            {t.rich('partOf', {
              title: isolated(sale.campaign.title),
              link: (words) => (
                <Link
                  href={`/campaigns/${sale.campaign?.slug}`}
                  prefetch={false}
                  className="relative z-10 inline-flex min-h-11 items-center underline underline-offset-4"
                >
                  {words}
                </Link>
              ),
            })}
          </p>
        ) : null}
        <Price
          priceMinor={sale.priceMinor}
          listPriceMinor={sale.listPriceMinor}
          currency={sale.currency}
          size="card"
        />
        <div className="mt-auto min-h-12 pt-1">
          {live && status !== 'scheduled' ? (
            <ClaimedBar stock={live.stock} totalStock={live.stock.total} isLive={status === 'live'} />
          ) : null}
        </div>
      </div>
    </Card>
  );
}
