import 'server-only';
import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { PowTask } from '@/lib/contract/shapes/challenge';
import { between } from '../random';
import { COST, workFor } from './work-for';

/** `derivedKey`: the whole key in hex digits; the task shows the first half. */
export type PowSecret = { kind: 'pow'; derivedKey: string };

const KEY_BYTES = 32;
const RANDOM_BYTES = 16;

const derive = promisify(pbkdf2);

/**
 * Makes a task that takes trying: which number gives a key with this beginning? PBKDF2 runs in a browser about as fast
 * as in a program made for it (altcha's reason). The number takes half to one and a half of the intended work. Without
 * altcha's signatures it takes 0.2 ms instead of 0.4: our tasks stay in Redis.
 * @param riskScore see `workFor`
 */
export async function createPow(riskScore: number): Promise<{ task: PowTask; secret: PowSecret }> {
  const tries = workFor(riskScore);
  const maxTries = Math.round(tries * 1.5);
  const [nonce, salt] = [randomBytes(RANDOM_BYTES), randomBytes(RANDOM_BYTES)];
  const key = await derive(
    passwordOf(nonce, between(Math.round(tries / 2), maxTries - 1)),
    salt,
    COST,
    KEY_BYTES,
    'sha256',
  );
  const derivedKey = key.toString('hex');
  return {
    task: {
      kind: 'pow',
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        nonce: nonce.toString('hex'),
        salt: salt.toString('hex'),
        cost: COST,
        keyLength: KEY_BYTES,
        keyPrefix: derivedKey.slice(0, KEY_BYTES),
      },
      maxTries,
    },
    secret: { kind: 'pow', derivedKey },
  };
}

/** The nonce, then the number in four bytes, the highest first: altcha's `PasswordBuffer`. */
function passwordOf(nonce: Buffer, counter: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(counter);
  return Buffer.concat([nonce, number]);
}
