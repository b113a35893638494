import cluster from 'node:cluster';
import { basename, resolve } from 'node:path';
import { nodeProblem } from './infra/check-node.mjs';
import { Problem } from './infra/problem.mjs';
import { checkRole, roleOf } from './infra/roles.mjs';
import { roleEnv } from './infra/settings.mjs';
import { checkUsage } from './infra/usages.mjs';

/**
 * Node loads this before a process that runs alone (`npm run web`, `worker`, `executor`). It answers `--help`, and ends
 * the process with one sentence when something is missing that only its operator can bring. The processes of a
 * cluster inherit it; what it checks has been checked then.
 */
const [, script = '', ...args] = process.argv;

async function check() {
  checkUsage(roleOf(basename(script)), args);
  const old = nodeProblem(process.versions.node, process.platform);
  if (old) throw new Problem(old);
  const found = await checkRole({ dist: resolve(script, '..'), file: basename(script), env: process.env });
  if (found.includes('careful')) console.error(found);
  Object.assign(process.env, roleEnv(process.env));
}

if (cluster.isPrimary) {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
