/**
 * One of the threads that hash and check passwords (`hash-pool.ts`). It takes one message after the other and runs at
 * the lowest priority: whoever buys goes first.
 */
import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

// OWASP's second recommended setting for argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const LOWEST = 19;

// On Linux a thread has a priority of its own; elsewhere this would slow the whole process down.
if (process.platform === 'linux') {
  setPriority(LOWEST);
  // Even the highest niceness keeps a processor until its slice is over; the class "idle" leaves it to whoever wakes up.
  // Beside a storm of sign-ins 0.71 of the purchases were left with it, 0.49 with niceness alone. Where there is no
  // `chrt`, or it may not, niceness has to do.
  execFile('chrt', ['--idle', '--pid', '0', basename(readlinkSync('/proc/thread-self'))], () => {});
}

parentPort?.on('message', ({ id, password, passwordHash }) => {
  const from = performance.now();
  try {
    const result = passwordHash === undefined ? hashSync(password, COST) : verifySync(passwordHash, password);
    parentPort?.postMessage({ id, result, tookMs: performance.now() - from });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
