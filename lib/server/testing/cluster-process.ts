/** For tests: runs two whole web processes on one port; the stand-in for Next tells which of them answers. */
import cluster from 'node:cluster';
import { outlastStandstills } from '@/test/support/outlast-standstills';
import { runCluster } from '../run-cluster';
import { runWeb } from '../run-web';
import { standInForNext } from './stand-in-next';

outlastStandstills();

const COUNT = 2;

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', () => {
    listening += 1;
    if (listening === COUNT) process.send?.('ready');
  });
  runCluster(COUNT);
} else {
  const upstream = await standInForNext((request, response) => {
    if (request.url?.startsWith('/crash')) process.exit(3);
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
