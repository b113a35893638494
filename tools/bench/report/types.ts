import { z } from 'zod';

/** `info`: the figure has no target; it is only printed. */
export type Verdict = 'met' | 'missed' | 'not measured' | 'info';

export const row = z.object({
  figure: z.string(),
  /** The results of the contestants, as absolute numbers. */
  measured: z.string(),
  /** The number the target is about. */
  result: z.string(),
  target: z.string(),
  verdict: z.custom<Verdict>(),
  /** The row's result as numbers, for `--compare`. Left out where the result is not a number. */
  compared: z
    .object({
      /** In the unit of the row's result. */
      value: z.number(),
      /** How far the rounds of one contestant lie apart, as a share of their median; null if there was one round. */
      spread: z.number().nullable(),
      /** Which values are better. */
      better: z.enum(['more', 'less']),
    })
    .optional(),
});

export type Row = z.infer<typeof row>;

export type FigureReport = {
  name: string;
  rows: Row[];
  notes: string[];
  /** Every round of every contestant, for `--json`. */
  samples: Record<string, number[]>;
};

export const environment = z.object({
  date: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryGiB: z.number(),
  system: z.string(),
  versions: z.record(z.string(), z.string()),
  /** How busy the machine was with other work when the bench began: load average of one minute. */
  loadBefore: z.number(),
  mode: z.enum(['full', 'quick']),
  /** Duration of the whole run, in seconds. */
  seconds: z.number(),
  rounds: z.number(),
  roundSeconds: z.number(),
});

export type Environment = z.infer<typeof environment>;

/** Judges whether a value is above or below its target, on the unrounded number. */
export const atLeast = (value: number, target: number): Verdict => (value >= target ? 'met' : 'missed');
export const atMost = (value: number, target: number): Verdict => (value <= target ? 'met' : 'missed');
