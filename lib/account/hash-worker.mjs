/**
 * One of the threads that hash and check passwords (`hash-pool.ts`). It takes one message after the other and has the
 * lowest weight of all threads that share the processor: purchases go first.
 */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

// OWASP's second recommended setting for argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const LOWEST_WEIGHT = 19;

// On Linux a thread has a priority of its own; elsewhere this would slow the whole process down.
// The class "idle" would leave purchases 0.71 instead of 0.49 beside a storm of sign-ins, but hashes next to nothing while
// any other work keeps the processor busy (docs/decisions/049-sign-in-storm.md).
if (process.platform === 'linux') setPriority(LOWEST_WEIGHT);

parentPort?.on('message', ({ id, password, passwordHash }) => {
  const from = performance.now();
  try {
    const result = passwordHash === undefined ? hashSync(password, COST) : verifySync(passwordHash, password);
    parentPort?.postMessage({ id, result, tookMs: performance.now() - from });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
