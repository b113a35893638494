import { median, ratioOfMedians, spread } from '../stats';
import { ratioText, whole } from './format';
import { atLeast, atMost, type Compared, type Row } from './types';

type Ratio = {
  figure: string;
  /** The rounds of both contestants, in the order they were run. */
  ours: readonly number[];
  theirs: readonly number[];
  /** `printed`: there is no target, and more is better. */
  target: { atLeast: number } | { atMost: number } | 'printed';
  /** Formats a contestant's median. */
  text?: (value: number) => string;
};

/** Makes the row of a figure that is a ratio of two contestants. @throws RangeError when a median is not above zero. */
export function ratioRow({ figure, ours, theirs, target, text = whole }: Ratio): Row {
  const value = ratioOfMedians(ours, theirs);
  return {
    figure,
    measured: `${text(median(ours))} : ${text(median(theirs))}`,
    result: ratioText(value),
    ...judge(value, target),
    compared: {
      value,
      // Contestants that slow down together have steady ratios, and yet the next run's ratio is another.
      spread: ours.length > 1 ? Math.max(spread(ours), spread(theirs)) : null,
      better: target !== 'printed' && 'atMost' in target ? 'less' : 'more',
    },
  };
}

function judge(value: number, target: Ratio['target']): Pick<Row, 'target' | 'verdict'> {
  if (target === 'printed') return { target, verdict: 'info' };
  const textOf = (limit: number) => (limit < 10 ? limit.toFixed(2) : String(limit));
  return 'atLeast' in target
    ? { target: `≥ ${textOf(target.atLeast)}`, verdict: atLeast(value, target.atLeast) }
    : { target: `≤ ${textOf(target.atMost)}`, verdict: atMost(value, target.atMost) };
}

/** Makes what can be compared of a figure that was measured once; nothing if it came to no number. */
export const measuredOnce = (value: number, better: Compared['better']): Pick<Row, 'compared'> =>
  Number.isFinite(value) ? { compared: { value, spread: null, better } } : {};
