import 'server-only';
import { verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import { parseAnswer } from '../parse-answer';
import type { PowSecret } from './create-pow';

const solutionSchema = z.object({
  counter: z.number().int().min(0).max(0xffffffff),
  derivedKey: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Tells whether this is the key looked for. The task shows half of it; only a client that found it knows the other
 * half. The task used is the one in Redis, not one that the visitor sends back, so there is nothing to alter. Takes
 * microseconds.
 * @param answer `{"counter": 1234, "derivedKey": "64 hex digits"}`
 */
export async function verifyPow({ challenge, secret }: PowSecret, answer: string): Promise<boolean> {
  const solution = parseAnswer(answer, solutionSchema);
  if (!solution) return false;
  const { verified } = await verifySolution({
    challenge,
    solution,
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  });
  return verified;
}
