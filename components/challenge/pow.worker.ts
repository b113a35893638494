import { solveChallenge } from 'altcha-lib';
import type { PowTask } from '@/lib/contract/shapes/challenge';
import { deriveKey } from './derive-key';

/** The worker's messages: how many numbers it has tried, the solution, or that it cannot find one. */
export type PowNews = { tries: number } | { solution: string } | { failed: true };

/** Tries between two progress messages: a few messages a second. */
const TELL_EVERY = 64;
const GIVE_UP_MS = 120_000;

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<PowTask>) => void;
  postMessage: (news: PowNews) => void;
};

/** Runs Altcha's solver off the page's own thread, so that the countdown stays smooth. */
scope.onmessage = async ({ data: task }) => {
  let tries = 0;
  const solution = await solveChallenge({
    challenge: { parameters: task.parameters },
    timeout: GIVE_UP_MS,
    deriveKey: (...input) => {
      tries += 1;
      if (tries % TELL_EVERY === 0) scope.postMessage({ tries });
      return deriveKey(...input);
    },
  }).catch(() => null);
  scope.postMessage(solution ? { solution: JSON.stringify(solution) } : { failed: true });
};
