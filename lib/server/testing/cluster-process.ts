/** For tests: two whole web processes on one port; what stands for Next tells which of them answers. */
import cluster from 'node:cluster';
import { runCluster } from '../run-cluster';
import { runWeb } from '../run-web';
import { standInForNext } from './stand-in-next';

const COUNT = 2;

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', () => {
    listening += 1;
    if (listening === COUNT) process.send?.('ready');
  });
  runCluster(COUNT);
} else {
  const upstream = await standInForNext((_request, response) => {
    response.setHeader('x-process', String(process.pid));
    response.end('next');
  });
  await runWeb({
    upstream,
    onPagesChanged: () => {},
    onReplaced: () => {},
    stop: async () => upstream.close(),
  });
}
