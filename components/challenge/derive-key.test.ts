import { solveChallenge } from 'altcha-lib';
import { afterEach, expect, it, vi } from 'vitest';
import { createPow } from '@/lib/challenge/pow/create-pow';
import { verifyPow } from '@/lib/challenge/pow/verify-pow';
import { deriveKey } from './derive-key';

afterEach(() => void vi.unstubAllGlobals());

it('[G4] a browser finds the number', async () => {
  const { task, secret } = await createPow(0);
  const solution = await solveChallenge({ challenge: { parameters: task.parameters }, deriveKey });
  expect(verifyPow(secret, JSON.stringify(solution))).toBe(true);
});

it('[G4] a browser without Web Crypto finds the number that one with it finds', async () => {
  const { parameters } = (await createPow(0)).task;
  // Two digits instead of 32 are found after some 256 tries: without Web Crypto the whole takes seconds.
  const challenge = { parameters: { ...parameters, keyPrefix: parameters.keyPrefix.slice(0, 2) } };
  const found = await solveChallenge({ challenge, deriveKey });
  if (!found) throw new Error('No number was found.');
  vi.stubGlobal('crypto', {});
  expect(await solveChallenge({ challenge, deriveKey })).toMatchObject({
    counter: found.counter,
    derivedKey: found.derivedKey,
  });
});
