import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { type Generator, startGenerator } from '@/tools/bench/load/generator';
import { type Product, startProduct } from '@/tools/bench/stack/product';
import { type Servers, startServers } from '@/tools/bench/stack/servers';

/** The whole product on servers of its own, and a load generator. */
export type Stack = {
  root: string;
  servers: Servers;
  product: Product;
  generator: Generator;
  say: (line: string) => void;
  /** Reserves users who have not bought yet. @returns the first of their numbers */
  takeUsers(count: number): number;
};

/** Runs `work` on a product of its own, and ends all of it afterwards. */
export async function withStack<T>(
  root: string,
  say: (line: string) => void,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const stops: (() => unknown)[] = [];
  try {
    say('starting Postgres, Redis and a web process');
    const servers = await startServers();
    stops.push(servers.stop);
    await applyMigrations(servers.databaseUrl);
    const product = await startProduct(root, servers, { say, profiler: null });
    stops.push(product.stop);
    // Modules of lib read their settings once, at first use. From here on they use the product's settings.
    Object.assign(process.env, product.env);
    stops.push(() => Promise.allSettled([closeDb(), closeRedis()]));
    const generator = startGenerator(root, product.env);
    stops.push(generator.stop);
    let nextUser = 1;
    const takeUsers = (count: number) => {
      nextUser += count;
      return nextUser - count;
    };
    return await work({ root, servers, product, generator, say, takeUsers });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
