import { mutexContestant } from '../support/mutex-contestant';
import type { Strategy } from '../types';

/**
 * In-process mutex, one process: reads and writes back under a lock in memory (`synchronized`).
 *
 * Right as long as there is one process. This version passes every test on a developer's machine; see the same code
 * with two processes.
 */
export const mutexOneProcess: Strategy = {
  name: 'mutex-one-process',
  title: 'In-process mutex, 1 process',
  source: 'Java Language Specification, 17.1 Synchronization: a monitor belongs to one object of one process',
  isCorrect: true,
  processes: 1,
  create: mutexContestant,
};
