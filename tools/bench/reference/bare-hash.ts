/**
 * The yardstick for sign-ins: a process that does nothing but check passwords with argon2id, in as many threads as the
 * product uses, at the same priority. It answers each question with how many it checked a second in that many ms.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { verify } from '@node-rs/argon2';
import { answerParent } from '@/tools/harness/asked-process';

export type HashJob = {
  threads: number;
  niceness: number;
  passwordHash: string;
  password: string;
  ms: number;
};

answerParent(async ({ threads, niceness, passwordHash, password, ms }: HashJob) => {
  // The priority is each thread's own on Linux.
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness);
  const from = performance.now();
  let count = 0;
  const loop = async () => {
    while (performance.now() - from < ms) {
      if (!(await verify(passwordHash, password))) throw new Error('the password must be right');
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: threads }, loop));
  return (count / (performance.now() - from)) * 1_000;
});
