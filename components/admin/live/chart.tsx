'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useMemo, useState } from 'react';
import { Card } from '@/components/ui/card';
import { Explained } from '@/components/ui/explained';
import { useLocalDate } from '@/components/ui/use-local-date';
import { ChartTable } from './chart-table';
import { Plot } from './plot';
import { highest, thin } from './series';

/** Each line's colour token and dash pattern. The pattern tells the lines apart without colours too. */
const STYLES = [
  { token: '--series-1', dash: [] },
  { token: '--series-2', dash: [2, 4] },
  { token: '--series-3', dash: [10, 4] },
  { token: '--series-4', dash: [6, 3, 2, 3] },
  { token: '--series-5', dash: [4, 3] },
] as const;

/**
 * How many moments a chart of two columns and a chart of one may draw. More than one moment per one or two pixels
 * would show nothing new: lines that leap up and down would become a block. And drawing is what an open live page
 * costs.
 */
const MOST_DRAWN = { wide: 300, narrow: 100 };

export interface ChartLine {
  key: string;
  label: string;
  help: string;
  /** The index of the colour and pattern, 0 to 4. */
  style: number;
  values: (number | null)[];
  /** Gives the line its own scale, on the right, because its unit differs from the others'. */
  isApart?: boolean;
}

interface ChartProps {
  heading: string;
  help: string;
  /** Epoch ms. */
  times: number[];
  lines: ChartLine[];
  /** Digits after the point. */
  digits?: number;
  /** Takes two columns where the page has several. */
  isWide?: boolean;
  children?: ReactNode;
}

/** Shows figures over time as lines, in words, and as a table. */
export function Chart({ heading, help, times, lines, digits = 0, isWide = false, children }: ChartProps) {
  const t = useTranslations('AdminLive');
  const localDate = useLocalDate();
  const locale = useLocale();
  const format = useMemo(() => {
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
    return (value: number) => number.format(value);
  }, [locale, digits]);
  const [isTable, setTable] = useState(false);
  const [pointed, setPointed] = useState<number | null>(null);
  const drawn = useMemo(
    () =>
      thin(
        times,
        lines.map(({ values }) => values),
        isWide ? MOST_DRAWN.wide : MOST_DRAWN.narrow,
      ),
    [times, lines, isWide],
  );
  const pointedAt = pointed === null ? undefined : drawn.times[pointed];
  const value: Format = (number) => (number == null ? '–' : format(number));
  const styled = lines.map((line) => ({ ...line, ...(STYLES[line.style] ?? STYLES[0]) }));
  return (
    <Card className={isWide ? 'md:col-span-2' : undefined}>
      <figure className="grid h-full content-start gap-2 p-4">
        <figcaption className="flex items-start justify-between gap-2">
          <h2 className="font-semibold">
            <Explained label={heading}>
              <p>{help}</p>
            </Explained>
          </h2>
          <button
            type="button"
            aria-pressed={isTable}
            aria-label={t('tableOf', { heading })}
            onClick={() => setTable(!isTable)}
            className="relative shrink-0 text-muted text-sm underline underline-offset-4 after:absolute after:-inset-x-2 after:-inset-y-3"
          >
            {t('asTable')}
          </button>
        </figcaption>
        <Legend
          lines={styled}
          figureOf={({ values }, i) =>
            value(pointed !== null && pointedAt ? drawn.lines[i]?.[pointed] : values.at(-1))
          }
        />
        <p className="sr-only">
          {heading}. {times.length < 2 ? t('collecting') : <Summary lines={lines} format={value} />}
        </p>
        <div className="h-32">
          {isTable ? (
            <ChartTable caption={heading} times={times} lines={lines} format={value} />
          ) : (
            <Plot data={drawn} lines={styled} format={format} onPoint={setPointed} />
          )}
        </div>
        <p className="text-muted text-xs tabular-nums">
          {times.length < 2
            ? t('collecting')
            : pointedAt === undefined
              ? children
              : t('at', { time: localDate(pointedAt, 'time') })}
        </p>
      </figure>
    </Card>
  );
}

type Format = (value: number | null | undefined) => string;

/** Says for each line where it is and how high it has been. */
function Summary({ lines, format }: { lines: ChartLine[]; format: Format }) {
  const t = useTranslations('AdminLive');
  return lines
    .map(({ label, values }) =>
      t('lineSummary', { label, now: format(values.at(-1)), highest: format(highest(values)) }),
    )
    .join(' ');
}

interface LegendProps {
  lines: (ChartLine & { token: string; dash: readonly number[] })[];
  figureOf: (line: ChartLine, index: number) => string;
}

/** Names each line beside a piece of it, with its figure. */
function Legend({ lines, figureOf }: LegendProps) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {lines.map((line, i) => (
        <div key={line.key} className="flex items-center gap-1.5 whitespace-nowrap">
          <svg aria-hidden="true" width="18" height="8" className="shrink-0">
            <line
              x1="0"
              x2="18"
              y1="4"
              y2="4"
              strokeWidth="3"
              stroke={`var(${line.token})`}
              strokeDasharray={line.dash.join(' ')}
            />
          </svg>
          <dt className="text-muted">
            <Explained label={line.label}>
              <p>{line.help}</p>
            </Explained>
          </dt>
          <dd className="min-w-6 font-semibold tabular-nums">{figureOf(line, i)}</dd>
        </div>
      ))}
    </dl>
  );
}
