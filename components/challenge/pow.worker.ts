import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { PowTask } from '@/lib/contract/shapes/challenge';

/** What the worker says: how many numbers it has tried, the solution, or that there is none to be had. */
export type PowNews = { tries: number } | { solution: string } | { failed: true };

/** How often it says so: a few times a second. */
const TELL_EVERY = 64;
const GIVE_UP_MS = 120_000;

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<PowTask>) => void;
  postMessage: (news: PowNews) => void;
};

/** Altcha's solver, off the page's own thread, so that the countdown goes on smoothly. */
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
    // A browser without Web Crypto (plain http on another host) can't do it at all.
  }).catch(() => null);
  scope.postMessage(solution ? { solution: JSON.stringify(solution) } : { failed: true });
};
