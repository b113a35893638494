import type { Upstream } from './upstream';

const OF_THE_ANSWER =
  /^(?:cache-control|content-type|content-length|transfer-encoding|etag|date|connection|keep-alive|x-nextjs-.*)$/i;

/** The headers Next puts on every answer (next.config.ts and its own `Vary`), as it was seen to: name, value … */
export async function readCommonHeaders(upstream: Pick<Upstream, 'call'>): Promise<string[]> {
  const answer = await upstream.call('GET', '/livez', {});
  answer.resume();
  const { rawHeaders } = answer;
  return rawHeaders.filter((_, at) => !OF_THE_ANSWER.test(rawHeaders[at - (at % 2)] ?? ''));
}
