import type { Ticket, Turn } from './fair-queue';

export type Refused = { refusal: Exclude<Turn, 'yours'> };

type SharedTurns<T> = {
  /**
   * Runs `work` when the client's turn comes, or returns the result of a run for the same key: all clients that want
   * the same meanwhile share one run, which begins with the first of their turns. @throws what `work` throws.
   */
  run: (key: string, client: string, work: () => Promise<T>) => Promise<T | Refused>;
  /** Later callers start a new run (for everything without a key); callers already waiting get the run under way. */
  forget: (key?: string) => void;
};

type Job<T> = {
  result?: Promise<T>;
  /** Resolves to the word when `result` exists. */
  begun: Promise<'begun'>;
  tellBegun: () => void;
  /** By client: requests behind one address share one place in the queue. */
  asked: Map<string, Promise<T | Refused>>;
};

/** Creates the shared runs. @param enter takes a client's place in the queue */
export function createSharedTurns<T>(enter: (client: string) => Ticket): SharedTurns<T> {
  const jobs = new Map<string, Job<T>>();

  const open = (key: string): Job<T> => {
    let tellBegun = () => {};
    const begun = new Promise<'begun'>((resolve) => {
      tellBegun = () => resolve('begun');
    });
    const job: Job<T> = { begun, tellBegun, asked: new Map() };
    jobs.set(key, job);
    return job;
  };
  const close = (key: string, job: Job<T>) => {
    if (jobs.get(key) === job) jobs.delete(key);
  };
  const takeTurn = async (key: string, job: Job<T>, client: string, work: () => Promise<T>) => {
    const ticket = enter(client);
    const turn = await Promise.race([ticket.turn, job.begun]);
    if (turn === 'yours' && !job.result) {
      job.result = work().finally(() => {
        ticket.leave();
        close(key, job);
      });
      job.tellBegun();
      return job.result;
    }
    ticket.leave();
    if (job.result) return job.result;
    job.asked.delete(client);
    if (job.asked.size === 0) close(key, job);
    return { refusal: turn === 'crowded' ? turn : 'full' } as Refused;
  };

  return {
    run(key, client, work) {
      const job = jobs.get(key) ?? open(key);
      if (job.result) return job.result;
      const asked = job.asked.get(client) ?? takeTurn(key, job, client, work);
      job.asked.set(client, asked);
      return asked;
    },
    forget(key) {
      if (key === undefined) jobs.clear();
      else jobs.delete(key);
    },
  };
}
