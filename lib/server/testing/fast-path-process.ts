/**
 * For tests: runs the whole web process with a stand-in for Next behind it; sends `ready` to the process that forked
 * it.
 */

import { outlastStandstills } from '@/test/support/outlast-standstills';
import { runWeb } from '../run-web';
import { standInForNext } from './stand-in-next';

outlastStandstills();

const upstream = await standInForNext((request, response) => {
  request.resume();
  const told = { 'x-answered-by': 'next', 'x-host': request.headers.host ?? '' };
  response.writeHead(404, { 'content-type': 'text/plain', ...told });
  response.end('next');
});
await runWeb({
  upstream,
  onPagesChanged: () => {},
  onReplaced: () => {},
  stop: async () => upstream.close(),
});
process.send?.('ready');
