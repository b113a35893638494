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
export const ownOrigin = (env, port) => `http://${fromHere(env.SECKILL_HOST)}:${port}`;

/**
 * Returns the address at which this machine reaches a server of its own.
 * @param {string | undefined} host what the server listens on
 */
export function fromHere(host) {
  const isEverywhere = !host || host === '0.0.0.0' || host === '::';
  if (isEverywhere) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Defaults of each part that talks to an Inngest: calls are signed, and so is registration. */
const SIGNED = { INNGEST_DEV: '0', INNGEST_ENABLE_UNAUTHED_SYNC: 'false' };
const IN_PRODUCTION = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };

/**
 * Returns the environment of a part that runs alone: what its operator set, and what is the same for everybody.
 * @param {NodeJS.ProcessEnv} env
 */
export const roleEnv = (env) => ({
  ...SIGNED,
  ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  ...IN_PRODUCTION,
});

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
        INNGEST_BASE_URL: `http://${fromHere(base.EXECUTOR_HOST)}:${ports.executor}`,
        EXECUTOR_PORT: String(ports.executor),
      }
    : {};
  return {
    INNGEST_SERVE_ORIGIN: ownOrigin(base, ports.web),
    ...SIGNED,
    NEXTAUTH_URL: `http://localhost:${ports.web}`,
    METRICS_PORT: String(ports.metrics),
    ...appSecrets,
    ...inngest,
    ...given,
    PORT: String(ports.web),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SECKILL_DEMO: isDemo ? '1' : '0',
    ...IN_PRODUCTION,
    ...(isDev ? { NODE_ENV: 'development' } : {}),
  };
}
