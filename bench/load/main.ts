/** The load generator: a process of its own, so that it does not share a thread with anything it measures. */
import { runClosedLoop } from './closed-loop';
import { runOpenLoop } from './open-loop';
import { buildRequests } from './requests';
import type { Job, LoadResult } from './types';

async function run(job: Job): Promise<LoadResult> {
  const { port, connections, source } = job;
  const requests = buildRequests(source);
  if (job.loop === 'open') {
    const { startAtMs, windowMs, count } = job;
    return runOpenLoop({ port, connections, requests: requests.slice(0, count), startAtMs, windowMs });
  }
  const isCyclic = source.kind === 'repeat' || source.isCyclic;
  return runClosedLoop({ port, connections, requests, isCyclic, seconds: job.seconds });
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
