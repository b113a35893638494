import { nodeProblem } from './infra/check-node.mjs';

/**
 * `npm test [-- [--all] [--unit | --e2e] [file …]]`: installs what is missing, runs tests on servers of its own, and ends
 * with `N passed, N failed`. It may use only Node's own modules, because it runs before `npm ci`.
 */
const problem = nodeProblem(process.versions.node, process.platform);
if (problem) {
  console.error(problem);
  process.exit(1);
}
import('./infra/usages.mjs').then(({ checkUsage }) => {
  const args = process.argv.slice(2);
  checkUsage('test', args);
  return import('./infra/run-tests.mjs').then(({ runTests }) => runTests(args));
});
