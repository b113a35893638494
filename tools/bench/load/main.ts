/** The load generator runs in a process of its own, so that it does not share a thread with anything it measures. */
import { runClosedLoop } from './closed-loop';
import { runOpenLoop } from './open-loop';
import { buildRequests } from './requests';
import type { Job, LoadResult } from './types';

async function run(job: Job): Promise<LoadResult> {
  const { port, connections, source } = job;
  const requests = buildRequests(source);
  if (job.loop === 'open') {
    const { startAtMs, windowMs, count } = job;
    const due =
      source.kind === 'repeat' ? Array<string>(count).fill(source.request) : requests.slice(0, count);
    return runOpenLoop({ port, connections, requests: due, startAtMs, windowMs });
  }
  const isCyclic = source.kind !== 'purchases' || source.isCyclic;
  return runClosedLoop({ port, connections, requests, isCyclic, seconds: job.seconds });
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
