'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { timelineOf } from './timeline-of';
import { useTimelineWords } from './use-timeline-words';

const day = (at: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);

const isOtherDay = (at: number, before: number | undefined) =>
  before === undefined || new Date(at).toDateString() !== new Date(before).toDateString();

/** Shows all that happened to an order and around it, oldest first. */
export function OrderTimeline({ order }: { order: OrderDetail }) {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const localDate = useLocalDate();
  const words = useTimelineWords(order);
  const lines = timelineOf(order);
  return (
    <section aria-labelledby="order-timeline" className="grid gap-4">
      <h2 id="order-timeline" className="font-semibold text-xl">
        {t('history')}
      </h2>
      <Card className="p-5">
        <ol className="grid gap-3">
          {lines.map((line, nr) => (
            <li key={line.id} className="grid gap-x-4 sm:grid-cols-[10rem_1fr]">
              <time dateTime={new Date(line.at).toISOString()} className="text-muted tabular-nums">
                {isOtherDay(line.at, lines[nr - 1]?.at) ? (
                  <span className="block text-sm">{day(line.at, locale)}</span>
                ) : null}
                {localDate(line.at, 'time')}
              </time>
              <span className="grid">
                <span className={line.isBad ? 'font-medium text-danger' : ''}>{words(line)}</span>
                {line.by ? <span className="break-all text-muted text-sm">{line.by}</span> : null}
              </span>
            </li>
          ))}
        </ol>
      </Card>
    </section>
  );
}
