import { solveChallenge } from 'altcha-lib';
import { afterEach, expect, it, vi } from 'vitest';
import { createPow } from '@/lib/challenge/pow/create-pow';
import { verifyPow } from '@/lib/challenge/pow/verify-pow';
import { deriveKey } from './derive-key';

afterEach(() => void vi.unstubAllGlobals());

it.each(['with', 'without'])('[G4] a browser %s Web Crypto finds the number', async (how) => {
  const { task, secret } = await createPow(0);
  if (how === 'without') vi.stubGlobal('crypto', {});
  const solution = await solveChallenge({ challenge: { parameters: task.parameters }, deriveKey });
  expect(verifyPow(secret, JSON.stringify(solution))).toBe(true);
});
