import { median, ratioOfMedians, spread } from '@/tools/harness/stats';
import { ratioText, whole } from './format';
import { atLeast, atMost, type Row } from './types';

/** `printed`: there is no target. */
export type Target = { atLeast: number } | { atMost: number } | 'printed';
type Text = (value: number) => string;

type Ratio = {
  figure: string;
  /** The rounds of both contestants, in the order they were run. */
  ours: readonly number[];
  theirs: readonly number[];
  /** More is better if there is none. */
  target: Target;
  /** Formats a contestant's median. */
  text?: Text;
};

/** Makes the row of a figure that is a ratio of two contestants. @throws RangeError when a median is not above zero. */
export function ratioRow({ figure, ours, theirs, target, text = whole }: Ratio): Row {
  const value = ratioOfMedians(ours, theirs);
  return {
    figure,
    measured: `${text(median(ours))} : ${text(median(theirs))}`,
    result: ratioText(value),
    ...judge(value, target, ratioText),
    compared: {
      value,
      // Contestants that slow down together have steady ratios, and yet the next run's ratio is another.
      spread: ours.length > 1 ? Math.max(spread(ours), spread(theirs)) : null,
      better: target !== 'printed' && 'atMost' in target ? 'less' : 'more',
    },
  };
}

type Single = {
  figure: string;
  measured: string;
  /** Not a finite number: it never came to one. */
  value: number;
  /** Less is better if there is none. */
  target: Target;
  text: Text;
};

/** Makes the row of a figure that was measured once. */
export function singleRow({ figure, measured, value, target, text }: Single): Row {
  const better = target !== 'printed' && 'atLeast' in target ? 'more' : 'less';
  const isNumber = Number.isFinite(value);
  return {
    figure,
    measured,
    result: isNumber ? text(value) : 'never',
    ...judge(value, target, text),
    ...(isNumber ? { compared: { value, spread: null, better } } : {}),
  };
}

/** Makes the row of something that is so or is not. */
export const factRow = (row: Pick<Row, 'figure' | 'measured' | 'result' | 'target'>, isSo: boolean): Row => ({
  ...row,
  verdict: isSo ? 'met' : 'missed',
});

function judge(value: number, target: Target, text: Text): Pick<Row, 'target' | 'verdict'> {
  if (target === 'printed') return { target, verdict: 'info' };
  return 'atLeast' in target
    ? { target: `≥ ${text(target.atLeast)}`, verdict: atLeast(value, target.atLeast) }
    : { target: `≤ ${text(target.atMost)}`, verdict: atMost(value, target.atMost) };
}
