import 'server-only';
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseAnswer } from '../parse-answer';
import type { PowSecret } from './create-pow';

const solutionSchema = z.object({
  counter: z.number().int().min(0).max(0xffffffff),
  derivedKey: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Tells whether this is the key looked for. The task shows half of it; only a client that found it knows the other
 * half. The task used is the one in Redis, not one that the visitor sends back, so there is nothing to alter.
 * @param answer `{"counter": 1234, "derivedKey": "64 hex digits"}`
 */
export function verifyPow({ derivedKey }: PowSecret, answer: string): boolean {
  const solution = parseAnswer(answer, solutionSchema);
  if (!solution) return false;
  const [given, looked] = [Buffer.from(solution.derivedKey, 'hex'), Buffer.from(derivedKey, 'hex')];
  return given.length === looked.length && timingSafeEqual(given, looked);
}
