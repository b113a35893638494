import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { ChallengeSecret, ChallengeTask } from '@/lib/challenge/types';

/** Returns a trace like a hand's: it sets off slowly, is quick in the middle, and slows down. */
export function handTrace(x: number, durationMs = 600): [number, number][] {
  return Array.from({ length: 21 }, (_, at) => {
    const share = at / 20;
    return [Math.round(share * durationMs), Math.round(x * share * share * (3 - 2 * share))];
  });
}

/** Returns the right answer: reads it from Redis, except for the calculation, which it really does. */
export async function solve(task: ChallengeTask, secret: ChallengeSecret): Promise<string> {
  if (task.kind === 'pow') {
    const solution = await solveChallenge({ challenge: { parameters: task.parameters }, deriveKey });
    return JSON.stringify(solution);
  }
  if (secret.kind === 'slider') return JSON.stringify({ x: secret.x, trace: handTrace(secret.x) });
  if (secret.kind === 'arithmetic') return String(secret.answer);
  if (secret.kind === 'sound') return secret.counts.join('');
  throw new Error(`a ${task.kind} with the secret of a ${secret.kind}`);
}
