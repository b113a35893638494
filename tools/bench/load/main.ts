/** The load generator runs in a process of its own, so that it does not share a thread with anything it measures. */
import { answerParent } from '@/tools/harness/asked-process';
import { runClosedLoop } from './closed-loop';
import { type Journey, type JourneyResult, runJourney } from './journey';
import { runOpenLoop } from './open-loop';
import { buildRequests } from './requests';
import type { Job, LoadResult } from './types';

async function run(job: Job | Journey): Promise<LoadResult | JourneyResult> {
  if ('cookies' in job) return runJourney(job);
  const { port, connections, source } = job;
  const requests = buildRequests(source);
  if (job.loop === 'open') return runOpenLoop({ port, connections, requests, windowMs: job.windowMs });
  const { isCyclic = source.kind !== 'purchases' } = source.kind === 'repeat' ? {} : source;
  return runClosedLoop({ port, connections, requests, isCyclic, seconds: job.seconds });
}

answerParent(run);
