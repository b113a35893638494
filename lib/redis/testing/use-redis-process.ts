import { outlastStandstills } from '@/test/support/outlast-standstills';
import { serverOf } from '../ask-server-of';
import { blockingRedis, cacheRedis, closeRedis, confirmingRedis, stockRedis } from '../client';
import { keys } from '../keys';
import { runScript } from '../run-script';
import { stockReplicas } from '../stock-replicas';
import { subscribe } from '../subscribe';

outlastStandstills();
/** Ends what hangs; a busy machine takes its time. */
const WITHIN_MS = 300_000;

/** Uses every kind of connection to Redis once, and prints what came back. Its authorities come with its environment. */
async function use() {
  const key = keys.sale('sale_tls');
  const heard = new Promise<string>((resolve) => {
    const listener = subscribe('tls', { onMessage: resolve });
    const publish = async () => {
      while (!listener.isListening()) await new Promise((done) => setTimeout(done, 20));
      await stockRedis().publish('tls', 'heard');
    };
    publish().catch(() => {});
  });
  const probed = await runScript(stockRedis(), 'probe-1', [key], []);
  await stockRedis().set(keys.replicasMark('sale_tls'), '1');
  const confirming = confirmingRedis(serverOf(stockRedis(), key));
  while (confirming.status !== 'ready') await new Promise((done) => setTimeout(done, 20));
  let replicas = await stockReplicas();
  // A cluster names a replica once it has heard of its offset.
  for (; replicas.length === 0; replicas = await stockReplicas())
    await new Promise((done) => setTimeout(done, 100));
  const answered = await Promise.all(
    replicas.map(async (replica) => {
      while (replica.status !== 'ready' && replica.status !== 'wait')
        await new Promise((done) => setTimeout(done, 20));
      return replica.ping();
    }),
  );
  const waited = await confirming.wait(0, 10);
  const read = await blockingRedis().xread('BLOCK', 10, 'STREAMS', keys.outbox('sale_tls'), '$');
  return { probed, cached: await cacheRedis().get(key), heard: await heard, answered, waited, read };
}

const late = new Promise((_, reject) => setTimeout(reject, WITHIN_MS, new Error('not within five minutes')));
try {
  console.log(JSON.stringify(await Promise.race([use(), late])));
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
await closeRedis();
process.exit();
