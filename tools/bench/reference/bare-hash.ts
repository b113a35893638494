/**
 * The yardstick for sign-ins: a process that does nothing but check passwords with argon2id, in as many threads as the
 * product uses, at the same priority. It answers each question with how many it checked in that many ms.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { verify } from '@node-rs/argon2';

const [, , threads = '1', niceness = '0', passwordHash = '', password = ''] = process.argv;
// The priority is each thread's own on Linux.
for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), Number(niceness));

async function checkFor(ms: number): Promise<number> {
  const from = performance.now();
  let count = 0;
  const loop = async () => {
    while (performance.now() - from < ms) {
      if (!(await verify(passwordHash, password))) throw new Error('the password must be right');
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(threads) }, loop));
  return (count / (performance.now() - from)) * 1_000;
}

process.on('message', (ms: number) => void checkFor(ms).then((perSecond) => process.send?.(perSecond)));
process.on('disconnect', () => process.exit(0));
process.send?.(0);
