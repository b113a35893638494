/**
 * @typedef {{ web: number, executor: number, metrics: number }} Ports
 */

/**
 * Says whether the Inngest functions run on our embedded executor: they do unless a variable points to another
 * Inngest.
 * @param {NodeJS.ProcessEnv} env
 */
export function isExecutorEmbedded(env) {
  const isDevServer = Boolean(env.INNGEST_DEV) && env.INNGEST_DEV !== '0' && env.INNGEST_DEV !== 'false';
  return !isDevServer && !env.INNGEST_BASE_URL && !env.INNGEST_SIGNING_KEY && !env.INNGEST_EVENT_KEY;
}

/**
 * Returns the address at which parts on this machine reach the web process: loopback, unless it listens only on one
 * other address.
 * @param {NodeJS.ProcessEnv} env @param {number} port
 */
export function ownOrigin(env, port) {
  const host = env.SECKILL_HOST;
  const isEverywhere = !host || host === '0.0.0.0' || host === '::';
  return `http://${isEverywhere ? '127.0.0.1' : host}:${port}`;
}

/**
 * Returns the environment of every part. The user's settings win over generated ones.
 * @param {{ base: NodeJS.ProcessEnv, secrets: Record<string, string>, databaseUrl: string, redisUrl: string, ports:
 *   Ports, isDev: boolean, isDemo: boolean }} options
 * @returns {NodeJS.ProcessEnv}
 */
export function partEnv({ base, secrets, databaseUrl, redisUrl, ports, isDev, isDemo }) {
  const isEmbedded = isExecutorEmbedded(base);
  const { POSTGRES_PASSWORD: _, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, ...appSecrets } = secrets;
  const given = Object.fromEntries(
    Object.entries(base).filter(([name, value]) => value !== '' && !name.startsWith('npm_')),
  );
  const inngest = isEmbedded
    ? {
        INNGEST_EVENT_KEY,
        INNGEST_SIGNING_KEY,
        INNGEST_BASE_URL: `http://127.0.0.1:${ports.executor}`,
        EXECUTOR_PORT: String(ports.executor),
      }
    : {};
  return {
    INNGEST_SERVE_ORIGIN: ownOrigin(base, ports.web),
    INNGEST_DEV: '0',
    INNGEST_ENABLE_UNAUTHED_SYNC: 'false',
    NEXTAUTH_URL: `http://localhost:${ports.web}`,
    METRICS_PORT: String(ports.metrics),
    ...appSecrets,
    ...inngest,
    ...given,
    PORT: String(ports.web),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SECKILL_DEMO: isDemo ? '1' : '0',
    NODE_ENV: isDev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  };
}
