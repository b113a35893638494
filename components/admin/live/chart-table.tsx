'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';

/** The last minute. Nobody reads more rows every second; they would only cost time. */
const MAX_ROWS = 60;

interface ChartTableProps {
  caption: string;
  /** Epoch ms. */
  times: number[];
  lines: { key: string; label: string; values: (number | null)[] }[];
  format: (value: number | null | undefined) => string;
}

/** Shows a chart's figures as a table, the newest first. */
export function ChartTable({ caption, times, lines, format }: ChartTableProps) {
  const t = useTranslations('AdminLive');
  const localDate = useLocalDate();
  const rows = Array.from({ length: Math.min(MAX_ROWS, times.length) }, (_, i) => times.length - 1 - i);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={caption} className="h-full overflow-auto rounded-lg border border-line">
      <table className="w-full text-right text-sm tabular-nums">
        <caption className="sr-only">{t('tableCaption', { heading: caption })}</caption>
        <thead className="sticky top-0 bg-sunken text-muted">
          <tr>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              {t('time')}
            </th>
            {lines.map(({ key, label }) => (
              <th key={key} scope="col" className="px-2 py-1 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={times[row]} className="border-line border-t">
              <th scope="row" className="px-2 py-0.5 text-left font-normal text-muted">
                {localDate(times[row] ?? 0, 'time')}
              </th>
              {lines.map(({ key, values }) => (
                <td key={key} className="px-2 py-0.5">
                  {format(values[row])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
