/**
 * One of the threads that hash and check passwords (`hash-pool.ts`). It takes one message after the other and has a low
 * weight among the threads that share the processor: purchases go first.
 */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

// OWASP's second recommended setting for argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const NICENESS = 10;

// On Linux a thread has a priority of its own; elsewhere this would slow the whole process down.
// 19 leaves purchases no more than 10, and the class "idle" next to no sign-in on a busy machine
// (docs/decisions/049-sign-in-storm.md).
if (process.platform === 'linux') setPriority(NICENESS);

parentPort?.on('message', ({ id, password, passwordHash }) => {
  const from = performance.now();
  try {
    const result = passwordHash === undefined ? hashSync(password, COST) : verifySync(passwordHash, password);
    parentPort?.postMessage({ id, result, tookMs: performance.now() - from });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
