import { createExecutor } from '../create-executor';
import type { ExecutorOptions } from '../types';

/**
 * An executor process for the tests that kill one. It takes its options as JSON in the first argument and prints its
 * URL on standard output.
 */
const executor = createExecutor(JSON.parse(process.argv[2] ?? '{}') as ExecutorOptions);
await executor.start();
process.on('SIGTERM', () => executor.stop().then(() => process.exit(0)));
process.stdout.write(`${executor.url}\n`);
