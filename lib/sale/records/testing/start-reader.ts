import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleProcess } from '@/test/support/bundle-process';

export type ReaderOrder = {
  saleId: string;
  /** How many callers ask at the same moment. */
  times: number;
  /** First asks again and again until the title is this. */
  until?: string;
};

export type ReaderAnswer = {
  /** The different titles that were found; null = no such sale. */
  titles: (string | null)[];
  /** The queries to Postgres meanwhile, such as `Sale.findUnique`. */
  queries: string[];
  doneAt: number;
  tookMs: number;
};

export type Reader = { ask(order: ReaderOrder): Promise<ReaderAnswer>; stop(): Promise<void> };

/** Starts a process with the servers of this test, or with others. */
export async function startReader(env: Record<string, string> = {}): Promise<Reader> {
  const child = fork(await bundleProcess(join(import.meta.dirname, 'reader.ts')), {
    execArgv: [],
    env: { ...process.env, ...env },
  });
  await once(child, 'message');
  return {
    ask: async (order) => {
      child.send(order);
      const [answer] = (await once(child, 'message')) as [ReaderAnswer | { error: string }];
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
