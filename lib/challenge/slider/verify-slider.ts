import { z } from 'zod';
import { nowMs } from '@/lib/clock';
import { parseAnswer } from '../parse-answer';
import type { SliderSecret } from './create-slider';
import { MAX_X, TOLERANCE_X } from './geometry';
import { judgeTrace, MAX_POINTS } from './judge-trace';

const place = z.number().min(0).max(MAX_X);
const answerSchema = z.object({
  x: place,
  trace: z.array(z.tuple([z.number().int().min(0).max(3_600_000), place])).max(MAX_POINTS),
});

/**
 * Tells whether the piece is in its gap, ended where its trace ends, and moved as a hand moves.
 * @param answer `{"x": 120, "trace": [[0, 0], [16, 2], …]}`
 */
export function verifySlider(secret: SliderSecret, answer: string): boolean {
  const given = parseAnswer(answer, answerSchema);
  if (!given || Math.abs(given.x - secret.x) > TOLERANCE_X) return false;
  if (given.trace.at(-1)?.[1] !== given.x) return false;
  return judgeTrace(given.trace, nowMs() - secret.madeAt) === 'plausible';
}
