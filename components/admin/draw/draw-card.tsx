'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { AdminDraw } from '@/lib/contract/shapes/draw';
import { Figures } from '../kit/figures';

const EVERY_MS = 5_000;

/** Shows a draw to staff: who entered, what the weights do, how it ended, and who has paid. */
export function DrawCard({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminDraw');
  const localDate = useLocalDate();
  const { data: draw, error } = useQuery({
    queryKey: ['admin-draw', saleId],
    queryFn: ({ signal }) => request('GET /api/admin/sales/{saleId}/draw', { params: { saleId }, signal }),
    refetchInterval: EVERY_MS,
  });
  if (!draw) return error ? <Problem error={error} /> : null;
  const { drawnAt, beacon } = draw;
  const help =
    drawnAt === null
      ? t(draw.closed ? 'drawing' : 'before')
      : `${t('drawnAt', { date: localDate(drawnAt) })} ${beacon ? t(`beacon.${beacon}`) : ''}`;
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Figures
        heading={t('heading')}
        help={help}
        figures={[
          { label: t('entrants'), value: draw.entrants - draw.left },
          { label: t('left'), value: draw.left },
          { label: t('paid'), value: draw.paid },
          { label: t('unpaid'), value: draw.unpaid },
          { label: t('lapsed'), help: t('lapsedHelp'), value: draw.lapsed },
          { label: t('waiting'), help: t('waitingHelp'), value: draw.waiting },
          ...draw.passedOver
            .filter(({ reason }) => reason !== 'left')
            .map(({ reason, people }) => ({ label: t(`passedOver.${reason}`), value: people })),
        ]}
      />
      <WeightTable draw={draw} />
      {draw.variants.length > 0 ? <VariantTable draw={draw} /> : null}
    </div>
  );
}

/** Shows how many people hold how many tickets, what share of all tickets that is, and how many of them won. */
function WeightTable({ draw }: { draw: AdminDraw }) {
  const t = useTranslations('AdminDraw');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const tickets = draw.weights.reduce((sum, { weight, people }) => sum + weight * people, 0);
  return (
    <Card className="grid content-start gap-2 p-4">
      <h2 className="font-semibold">{t('weights')}</h2>
      <p className="text-muted text-sm">{t(`rule.${draw.rule}`)}</p>
      {tickets === 0 ? null : (
        <Counts
          columns={['tickets', 'people', 'share', 'won']}
          rows={draw.weights.map(({ weight, people, won }) => [
            number.format(weight),
            number.format(people),
            percent.format((weight * people) / tickets),
            draw.drawnAt === null ? '–' : number.format(won),
          ])}
        />
      )}
    </Card>
  );
}

/** Shows of each variant how many units there are, how many people wish it, and how many of them have had one. */
function VariantTable({ draw }: { draw: AdminDraw }) {
  const t = useTranslations('AdminDraw');
  const number = new Intl.NumberFormat(useLocale());
  return (
    <Card className="grid content-start gap-2 p-4 md:col-span-2">
      <h2 className="font-semibold">{t('variants')}</h2>
      <Counts
        columns={['variant', 'units', 'people', 'won']}
        rows={draw.variants.map(({ name, units, people, won }) => [
          name,
          number.format(units),
          number.format(people),
          draw.drawnAt === null ? '–' : number.format(won),
        ])}
      />
    </Card>
  );
}

type Column = 'tickets' | 'variant' | 'units' | 'people' | 'share' | 'won';

/** Shows a table whose first column names its rows. */
function Counts({ columns, rows }: { columns: readonly Column[]; rows: readonly string[][] }) {
  const t = useTranslations('AdminDraw');
  return (
    <table className="w-full text-sm tabular-nums">
      <thead className="text-muted">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1 text-right font-normal first:text-left">
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...counts]) => (
          <tr key={name}>
            <th scope="row" className="wrap-anywhere py-0.5 text-left font-normal">
              <bdi>{name}</bdi>
            </th>
            {counts.map((count, at) => (
              <td key={columns[at + 1]} className="text-right">
                {count}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
