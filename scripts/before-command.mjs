import { basename, extname, resolve } from 'node:path';
import { checkUsage } from './infra/usages.mjs';

/**
 * Loaded by Node before each of our TypeScript commands, and before the loader for TypeScript: answers `--help` within a
 * tenth of a second, refuses unknown flags, and installs and generates what a fresh checkout lacks. One that has packages
 * keeps them: a shop may run from it.
 */
const [, script = '', ...args] = process.argv;
checkUsage(basename(script, extname(script)), args);
// Not needed to answer, so not loaded before.
const { prepareCheckout } = await import('./infra/prepare-checkout.mjs');
await prepareCheckout(resolve(import.meta.dirname, '..'));
