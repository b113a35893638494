import { processWide } from '@/lib/process-wide';
import 'server-only';

type TurnOptions = {
  /** How many callers may work at the same time. */
  atOnce: number;
  /** How many may wait for a turn; further callers are turned away at once. */
  maxWaiting: number;
  /** How long a caller waits at most, in ms, before it is turned away. */
  maxWaitMs: number;
};

type Turn<T> = { status: 'done'; value: T } | { status: 'turned_away' };

type Queue = { working: number; waiting: Set<(mayGo: boolean) => void> };

const queues = processWide('turns', () => new Map<string, Queue>());

/**
 * Lets the callers of one name in this process take turns. A few work; a few more wait briefly, in the order they
 * came. It turns the rest away at once, so that they don't queue up behind a slow resource.
 * @throws the errors of `work`.
 */
export async function takeTurn<T>(
  name: string,
  options: TurnOptions,
  work: () => Promise<T>,
): Promise<Turn<T>> {
  const queue = queues.get(name) ?? { working: 0, waiting: new Set() };
  queues.set(name, queue);

  if (queue.working < options.atOnce) queue.working += 1;
  else if (queue.waiting.size >= options.maxWaiting) return { status: 'turned_away' };
  // A caller that finishes hands its place to the next in the queue, so a newcomer can't take it.
  else if (!(await wait(queue, options.maxWaitMs))) return { status: 'turned_away' };
  try {
    return { status: 'done', value: await work() };
  } finally {
    const [next] = queue.waiting;
    if (next) next(true);
    else {
      queue.working -= 1;
      if (queue.working === 0) queues.delete(name);
    }
  }
}

function wait(queue: Queue, maxWaitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (mayGo: boolean) => {
      clearTimeout(timer);
      queue.waiting.delete(end);
      resolve(mayGo);
    };
    const timer = setTimeout(() => end(false), maxWaitMs);
    queue.waiting.add(end);
  });
}
