import { buildWhenChanged } from '../../../scripts/infra/build-when-changed.mjs';
import { bundleParts } from '../../../scripts/infra/bundle-parts.mjs';
import { cleanEnv } from '../../../scripts/infra/clean-env.mjs';
import { partArguments } from '../../../scripts/infra/part-commands.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { partEnv } from '../../../scripts/infra/settings.mjs';

type Options = {
  databaseUrl: string;
  redisUrl: string;
  secrets: Record<string, string>;
  /** Environment of all processes, in addition to the usual one. */
  settings: Record<string, string>;
  logFile: string;
  say: (line: string) => void;
};

/** Everything needed to start the product's processes as `npm start` does. */
type BuiltProduct = {
  env: NodeJS.ProcessEnv;
  ports: { web: number; executor: number; metrics: number };
  /** Arguments for Node. */
  args: { web: string[]; worker: string[]; executor: string[] };
};

/** Builds the product if its source has changed, and chooses free ports. Sandbox payments are allowed; staff sign in by a password alone. */
export async function buildProduct(
  root: string,
  { databaseUrl, redisUrl, secrets, settings, logFile, say }: Options,
): Promise<BuiltProduct> {
  const ports = { web: await anyFreePort(), executor: await anyFreePort(), metrics: await anyFreePort() };
  // The environment may name another build folder; all our other variables are set by the tool.
  const given = process.env.NEXT_DIST_DIR;
  const base = cleanEnv(process.env, given ? { NEXT_DIST_DIR: given } : {});
  const env: NodeJS.ProcessEnv = {
    ...partEnv({ base, secrets, databaseUrl, redisUrl, ports, isDev: false, isDemo: false }),
    ALLOW_SANDBOX_PAYMENTS: '1',
    STAFF_SECOND_FACTOR: '0',
    CONFIRM_AGAIN_MINUTES: '0',
    ...settings,
  };
  say(`build: ${await buildWhenChanged({ root, logFile, env })}`);
  const files = await bundleParts({ root, dist: env.NEXT_DIST_DIR || '.next' });
  return { env, ports, args: partArguments(files) };
}
