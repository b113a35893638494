import { join } from 'node:path';
import { startAskedProcess } from '@/tools/harness/asked-process';
import type { Journey, JourneyResult } from './journey';
import type { Job, LoadResult } from './types';

export type Generator = {
  run(job: Job): Promise<LoadResult>;
  travel(journey: Journey): Promise<JourneyResult>;
  stop(): Promise<void>;
};

/**
 * Starts the load generator's process. It does one job at a time.
 * @param env of the product, for the key that signs tokens.
 */
export function startGenerator(root: string, env: NodeJS.ProcessEnv): Generator {
  const { ask, stop } = startAskedProcess<Job | Journey, LoadResult | JourneyResult>(
    join(root, 'tools/bench/load/main.ts'),
    env,
  );
  // `main.ts` answers each kind of job with its own kind of result.
  return {
    run: (job) => ask(job) as Promise<LoadResult>,
    travel: (journey) => ask(journey) as Promise<JourneyResult>,
    stop,
  };
}
