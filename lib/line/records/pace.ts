import type { AdmissionStep } from './types';

/** People a minute, from the fewest to the most that it may well be. */
export type Pace = { least: number; most: number };

const PART_MS = 10_000;
const PARTS = 6;
/** Even a steady pace may change. */
const SPREAD = 0.15;

/**
 * Measures how fast a line moves: from the admissions of the last minute, in parts of 10 s. The range is the mean of the
 * parts and twice its standard error (about 95 %), and at least 15 % to both sides.
 * @param now epoch ms
 * @returns null before there are two parts, or while nobody is admitted
 */
export function paceOf(steps: readonly AdmissionStep[], now: number): Pace | null {
  const firstAt = steps[0]?.[0] ?? now;
  const parts = Math.min(PARTS, Math.floor((now - firstAt) / PART_MS));
  if (parts < 2) return null;
  const at = (time: number) => steps.findLast(([stepAt]) => stepAt <= time)?.[1] ?? 0;
  const counts = Array.from(
    { length: parts },
    (_, part) => at(now - part * PART_MS) - at(now - (part + 1) * PART_MS),
  );
  const mean = counts.reduce((sum, count) => sum + count, 0) / parts;
  if (mean === 0) return null;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (parts - 1);
  const spread = Math.max(mean * SPREAD, 2 * Math.sqrt(variance / parts));
  const perMinute = 60_000 / PART_MS;
  return { least: Math.max(0, (mean - spread) * perMinute), most: (mean + spread) * perMinute };
}
