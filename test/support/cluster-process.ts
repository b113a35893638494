import { startCluster } from './start-cluster';

/**
 * A Redis cluster for whoever starts this process: prints its address, and ends it at SIGTERM. No server takes over from
 * another that stands still with the whole machine for some seconds: whoever uses it tests something else.
 */
const cluster = await startCluster();
process.once('SIGTERM', () => void cluster.stop().then(() => process.exit(0)));
console.log(cluster.url);
setInterval(() => {}, 60_000);
