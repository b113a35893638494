import { join } from 'node:path';
import { startAskedProcess } from '@/tools/harness/asked-process';
import type { BenchContext } from '../bench-context';

/**
 * Starts one of the yardsticks in this folder in a process of its own, until the figure is over.
 * @param given what it needs; it answers with its port, which it chooses
 */
export function startReference({ root, atEnd }: BenchContext, file: string, given: object): Promise<number> {
  const server = startAskedProcess<object, number>(join(root, 'tools/bench/reference', file), process.env);
  atEnd(server.stop);
  return server.ask(given);
}
