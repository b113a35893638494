/** `npm run capacity -- --users N --units N --window TIME`: says what a crowd needs, from this machine's own times. */
import { join } from 'node:path';
import { parseCapacityArguments } from '@/tools/capacity/arguments';
import { runCapacity } from '@/tools/capacity/run-capacity';
import { runTool } from '@/tools/harness/run-tool';

await runTool(async (args) => {
  const lines = await runCapacity(join(import.meta.dirname, '..'), parseCapacityArguments(args));
  console.log(lines.join('\n'));
  return 0;
});
