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
 * Whether that is the key looked for: half of it is in the task, the other half only its finder knows. The task is the one
 * kept in Redis, not one the visitor sends back, so there is nothing to alter. Microseconds.
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
