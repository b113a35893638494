import { nodeProblem } from './infra/check-node.mjs';

/**
 * `npm start`: starts the whole product on this machine and keeps it running; Ctrl-C or SIGTERM ends it cleanly.
 * `--dev` does the same with hot reload. It may use only Node's own modules, because it runs before `npm ci`.
 */
const problem = nodeProblem(process.versions.node, process.platform);
if (problem) {
  console.error(problem);
  process.exit(1);
}
const isDev = process.argv.includes('--dev');
// Loaded after the check: an old Node could not even parse the rest.
import('./infra/usages.mjs').then(({ checkUsage }) => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--dev');
  checkUsage(isDev ? 'dev' : 'start', args);
  return import('./infra/run-start.mjs').then(({ runStart }) => runStart({ isDev }));
});
