import { basename, extname, resolve } from 'node:path';
import { checkUsage } from './infra/usages.mjs';

/**
 * Node loads this before each of our TypeScript commands, and before the loader for TypeScript. It answers `--help`
 * within a tenth of a second, refuses unknown flags, and installs and generates what a fresh checkout lacks. It never
 * touches packages that are installed: a shop may run from them.
 */
const [, script = '', ...args] = process.argv;
checkUsage(basename(script, extname(script)), args);
// Loaded only now, because `--help` does not need it.
const { prepareCheckout } = await import('./infra/prepare-checkout.mjs');
await prepareCheckout(resolve(import.meta.dirname, '..'));
