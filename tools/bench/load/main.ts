/** The load generator runs in a process of its own, so that it does not share a thread with anything it measures. */
import { runClosedLoop } from './closed-loop';
import { type Journey, type JourneyResult, runJourney } from './journey';
import { answerParent } from './load-process';
import { runOpenLoop } from './open-loop';
import { buildRequests } from './requests';
import { runSignInCrowd, type SignInCrowd, type SignInCrowdResult } from './sign-in-crowd';
import type { Job, LoadResult } from './types';

async function run(
  job: Job | Journey | SignInCrowd,
): Promise<LoadResult | JourneyResult | SignInCrowdResult> {
  if ('emails' in job) return runSignInCrowd(job);
  if ('cookies' in job) return runJourney(job);
  const { port, connections, source } = job;
  const requests = buildRequests(source);
  if (job.loop === 'open') {
    const { startAtMs, windowMs, count } = job;
    const due =
      source.kind === 'repeat' ? Array<string>(count).fill(source.request) : requests.slice(0, count);
    return runOpenLoop({ port, connections, requests: due, startAtMs, windowMs });
  }
  const { isCyclic = true } = 'isCyclic' in source ? source : {};
  return runClosedLoop({ port, connections, requests, isCyclic, seconds: job.seconds });
}

answerParent(run);
