import 'server-only';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge as AltchaChallenge } from 'altcha-lib/types';
import type { PowTask } from '@/lib/contract/shapes/challenge';
import { randomText } from '@/lib/ids/new-id';
import { between } from '../random';
import { COST, workFor } from './work-for';

export type PowSecret = { kind: 'pow'; challenge: AltchaChallenge; secret: string };

/**
 * Makes a task that takes trying: which number gives a key that begins like this? Uses PBKDF2, because a browser
 * computes it about as fast as a program written for the purpose (altcha's reason for it). The number is picked here,
 * from half to one and a half of the intended work: nobody is unlucky for long, and the page can show its progress.
 * @param riskScore see `workFor`
 */
export async function createPow(riskScore: number): Promise<{ task: PowTask; secret: PowSecret }> {
  const tries = workFor(riskScore);
  const maxTries = Math.round(tries * 1.5);
  const secret = randomText(32);
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: between(Math.round(tries / 2), maxTries - 1),
    deriveKey,
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: secret,
  });
  const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters;
  return {
    task: { kind: 'pow', parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix }, maxTries },
    secret: { kind: 'pow', challenge, secret },
  };
}
