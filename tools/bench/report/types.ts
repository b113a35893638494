/** `info`: the issue is only that it is printed. */
export type Verdict = 'met' | 'missed' | 'not measured' | 'info';

export type Row = {
  figure: string;
  /** What the contestants reached: absolute numbers. */
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
  /** How busy the machine was with other things when the bench began: load average of one minute. */
  loadBefore: number;
  mode: 'full' | 'quick';
  /** The whole run. */
  seconds: number;
  rounds: number;
  roundSeconds: number;
};

/** Below or above: judged on the unrounded number. */
export const atLeast = (value: number, target: number): Verdict => (value >= target ? 'met' : 'missed');
export const atMost = (value: number, target: number): Verdict => (value <= target ? 'met' : 'missed');
