'use client';

import { useLocale } from 'next-intl';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A chart that has just begun spans a minute, so that its first seconds don't fill the whole width. */
const MIN_SPAN_SEC = 60;
/** Steps of the value axes. They are whole numbers: counts have no halves. */
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const FONT = '12px system-ui, sans-serif';
/** Half the width of a time label in that font. */
const HALF_TIME_PX = 30;

interface PlotProps {
  /** Times in epoch ms, and each line's figure at each of them. A new object makes the chart draw again. */
  data: { times: number[]; lines: (number | null)[][] };
  lines: { key: string; token: string; dash: readonly number[]; isApart?: boolean }[];
  format: (value: number) => string;
  /** Called with the index of the moment under the pointer; null: the pointer is at none. */
  onPoint: (index: number | null) => void;
}

/** Draws lines over time on a canvas. The page also says them in words and figures, so screen readers skip the canvas. */
export function Plot({ data, lines, format, onPoint }: PlotProps) {
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const given = useRef({ data, lines, format, onPoint });
  given.current = { data, lines, format, onPoint };
  const keys = lines.map(({ key }) => key).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are another chart; their values come below
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = new uPlot(
      options(element, given.current.lines, locale, () => given.current),
      toAligned(given.current.data),
      element,
    );
    plot.current = made;
    const resize = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    resize.observe(element);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => made.redraw(false, true);
    scheme.addEventListener('change', recolour);
    return () => {
      scheme.removeEventListener('change', recolour);
      resize.disconnect();
      made.destroy();
    };
  }, [keys, locale]);

  useEffect(() => {
    plot.current?.setData(toAligned(data));
  }, [data]);

  return (
    <div
      ref={box}
      aria-hidden="true"
      className="relative h-full min-w-0 overflow-hidden [&>.uplot]:absolute"
    />
  );
}

const toAligned = ({ times, lines }: PlotProps['data']): uPlot.AlignedData => [
  times.map((at) => at / 1000),
  ...lines,
];

/** Reads a colour token's value now: light and dark share the names. */
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);

const isApart = (line: { isApart?: boolean }) => line.isApart === true;
const fromZero: uPlot.Range.Function = (_plot, _min, max) => [0, Math.max(1, (max ?? 0) * 1.1)];

function options(
  element: HTMLElement,
  lines: PlotProps['lines'],
  locale: string,
  given: () => Pick<PlotProps, 'format' | 'onPoint'>,
): uPlot.Options {
  const axis = {
    stroke: () => token('--muted'),
    font: FONT,
    ticks: { show: false },
    grid: { stroke: () => token('--line'), width: 1 },
  };
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const figures: uPlot.Axis = {
    ...axis,
    size: 44,
    space: 28,
    incrs: STEPS,
    values: (_plot, values) => values.map((value) => given().format(value)),
  };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    // Leaves room on the right: half of the last time label stands beside the chart.
    padding: [6, lines.some(isApart) ? 8 : HALF_TIME_PX, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { range: (_plot, min, max) => [Math.min(min, max - MIN_SPAN_SEC), max] },
      y: { range: fromZero },
      ...(lines.some(isApart) ? { apart: { range: fromZero } } : {}),
    },
    axes: [
      {
        ...axis,
        size: 22,
        space: 80,
        values: (_plot, seconds) => seconds.map((at) => clock.format(at * 1000)),
      },
      figures,
      ...(lines.some(isApart)
        ? [{ ...figures, scale: 'apart', side: 1, grid: { show: false } } as const]
        : []),
    ],
    series: [
      {},
      ...lines.map(({ token: name, dash, isApart: isOther }) => ({
        scale: isOther ? 'apart' : 'y',
        stroke: () => token(name),
        width: 2,
        dash: [...dash],
        spanGaps: false,
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => given().onPoint(cursor.idx ?? null)] },
  };
}
