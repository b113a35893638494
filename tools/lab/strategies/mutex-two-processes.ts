import { mutexContestant } from '../support/mutex-contestant';
import type { Strategy } from '../types';

/**
 * In-process mutex, two processes: the same code as `mutex-one-process`, started twice behind one load balancer.
 *
 * Broken: each process has a mutex of its own and does not know the other's. Only one buyer per process is in the
 * critical section, yet that is enough for lost updates throughout the race.
 */
export const mutexTwoProcesses: Strategy = {
  name: 'mutex-two-processes',
  title: 'In-process mutex, 2 processes',
  source: 'Java Language Specification, 17.1 Synchronization: a monitor belongs to one object of one process',
  isCorrect: false,
  flaw: 'oversells',
  processes: 2,
  create: mutexContestant,
};
