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
        <table className="w-full text-sm tabular-nums">
          <thead className="text-muted">
            <tr>
              {(['tickets', 'people', 'share', 'won'] as const).map((name) => (
                <th key={name} scope="col" className="py-1 text-right font-normal first:text-left">
                  {t(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {draw.weights.map(({ weight, people, won }) => (
              <tr key={weight}>
                <th scope="row" className="py-0.5 text-left font-normal">
                  {number.format(weight)}
                </th>
                <td className="text-right">{number.format(people)}</td>
                <td className="text-right">{percent.format((weight * people) / tickets)}</td>
                <td className="text-right">{draw.drawnAt === null ? '–' : number.format(won)}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
      <table className="w-full text-sm tabular-nums">
        <thead className="text-muted">
          <tr>
            {(['variant', 'units', 'people', 'won'] as const).map((name) => (
              <th key={name} scope="col" className="py-1 text-right font-normal first:text-left">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {draw.variants.map(({ name, units, people, won }) => (
            <tr key={name}>
              <th scope="row" className="wrap-anywhere py-0.5 text-left font-normal">
                <bdi>{name}</bdi>
              </th>
              <td className="text-right">{number.format(units)}</td>
              <td className="text-right">{number.format(people)}</td>
              <td className="text-right">{draw.drawnAt === null ? '–' : number.format(won)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
