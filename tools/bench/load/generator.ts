import type { Journey, JourneyResult } from './journey';
import { startLoadProcess } from './load-process';
import type { SignInCrowd, SignInCrowdResult } from './sign-in-crowd';
import type { Job, LoadResult } from './types';

export type Generator = {
  pid: number;
  run(job: Job): Promise<LoadResult>;
  travel(journey: Journey): Promise<JourneyResult>;
  signIn(crowd: SignInCrowd): Promise<SignInCrowdResult>;
  stop(): void;
};

/**
 * Starts the load generator's process. It does one job at a time.
 * @param env of the product, for the key that signs tokens.
 */
export function startGenerator(root: string, env: NodeJS.ProcessEnv): Generator {
  const { pid, ask, stop } = startLoadProcess<
    Job | Journey | SignInCrowd,
    LoadResult | JourneyResult | SignInCrowdResult
  >(root, 'main.ts', env);
  // `main.ts` answers each kind of job with its own kind of result.
  return {
    pid,
    run: (job) => ask(job) as Promise<LoadResult>,
    travel: (journey) => ask(journey) as Promise<JourneyResult>,
    signIn: (crowd) => ask(crowd) as Promise<SignInCrowdResult>,
    stop,
  };
}
