import { startCluster } from './start-cluster';

/** A Redis cluster for the process that starts this one: prints its address, and ends it at SIGTERM. */
const cluster = await startCluster();
process.once('SIGTERM', () => void cluster.stop().then(() => process.exit(0)));
console.log(cluster.url);
setInterval(() => {}, 60_000);
