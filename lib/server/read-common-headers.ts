import type { Upstream } from './upstream';

const OF_THE_ANSWER =
  /^(?:cache-control|content-type|content-length|transfer-encoding|etag|date|connection|keep-alive|x-nextjs-.*)$/i;

/** Asks Next and returns the headers it puts on every answer (next.config.ts and its own `Vary`): name, value … */
export async function readCommonHeaders(upstream: Pick<Upstream, 'call'>): Promise<string[]> {
  const answer = await upstream.call('GET', '/livez', {});
  answer.resume();
  const { rawHeaders } = answer;
  return rawHeaders.filter((_, at) => !OF_THE_ANSWER.test(rawHeaders[at - (at % 2)] ?? ''));
}
