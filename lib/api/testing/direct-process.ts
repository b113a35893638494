/**
 * For tests: runs the whole web process, with what it answers for signed-in shoppers and a stand-in for Next behind it;
 * sends `ready` to the process that forked it.
 */
import { runWeb } from '@/lib/server/run-web';
import { standInForNext } from '@/lib/server/testing/stand-in-next';
import { directRoutes } from '../visit/direct-routes';

const upstream = await standInForNext((request, response) => {
  request.resume();
  response.writeHead(404, { 'content-length': 0 });
  response.end();
});
const next = {
  upstream,
  onPagesChanged: () => {},
  onReplaced: () => {},
  stop: async () => upstream.close(),
};
await runWeb(next, { direct: directRoutes });
process.send?.('ready');
