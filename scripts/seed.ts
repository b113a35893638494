import './load-runtime-env';
import { seedDemo } from '@/lib/demo/seed-demo';
import { runCommand } from './run-command';

/** Writes the demo data; `npm start` runs it at every start in demo mode. */
await runCommand(async () => {
  await seedDemo();
  return 0;
});
