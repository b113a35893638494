/** `info`: the figure has no target; it is only printed. */
export type Verdict = 'met' | 'missed' | 'not measured' | 'info';

export type Row = {
  figure: string;
  /** The results of the contestants, as absolute numbers. */
  measured: string;
  /** The number the target is about. */
  result: string;
  target: string;
  verdict: Verdict;
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
