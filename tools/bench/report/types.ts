/** `info`: the figure has no target; it is only printed. */
export type Verdict = 'met' | 'missed' | 'not measured' | 'info';

/** A row's result as numbers, for `--compare`. */
export type Compared = {
  /** In the unit of the row's result. */
  value: number;
  /** How far the rounds of one contestant lie apart, as a share of their median; null if there was one round. */
  spread: number | null;
  /** Which values are better. */
  better: 'more' | 'less';
};

export type Row = {
  figure: string;
  /** The results of the contestants, as absolute numbers. */
  measured: string;
  /** The number the target is about. */
  result: string;
  target: string;
  verdict: Verdict;
  /** Left out where the result is not a number. */
  compared?: Compared;
};

export type FigureReport = {
  name: string;
  rows: Row[];
  notes: string[];
  /** Every round of every contestant, for `--json`. */
  samples: Record<string, number[]>;
};

export type Environment = {
  date: string;
  cpu: string;
  cores: number;
  memoryGiB: number;
  system: string;
  versions: Record<string, string>;
  /** How busy the machine was with other work when the bench began: load average of one minute. */
  loadBefore: number;
  mode: 'full' | 'quick';
  /** Duration of the whole run, in seconds. */
  seconds: number;
  rounds: number;
  roundSeconds: number;
};

/** Judges whether a value is above or below its target, on the unrounded number. */
export const atLeast = (value: number, target: number): Verdict => (value >= target ? 'met' : 'missed');
export const atMost = (value: number, target: number): Verdict => (value <= target ? 'met' : 'missed');
