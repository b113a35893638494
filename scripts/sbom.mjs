import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { foreignLicences, makeSbom } from './infra/make-sbom.mjs';
import { Problem } from './infra/problem.mjs';
import { checkUsage } from './infra/usages.mjs';
import { writeAtomically } from './infra/write-atomically.mjs';

const args = process.argv.slice(2);
checkUsage('sbom', args);

/** `npm run sbom`: lists the packages of a release, so that an operator can compare them with known vulnerabilities. */
const root = join(import.meta.dirname, '..');
const [flag, given, ...more] = args;
try {
  if (flag !== undefined && (flag !== '--out' || !given || more.length > 0))
    throw new Problem('npm run sbom takes --out FILE and nothing else.');
  const file = resolve(given ?? join(root, 'dist', 'sbom.cdx.json'));
  const sbom = makeSbom(root);
  const foreign = foreignLicences(sbom);
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${sbom.components.length} packages are in ${file}.`);
  if (foreign.length > 0) {
    console.error(`Licences somebody has to read first:\n  ${foreign.join('\n  ')}`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
