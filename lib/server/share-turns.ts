import type { Ticket, Turn } from './fair-queue';

export type Refused = { refusal: Exclude<Turn, 'yours'> };

type SharedTurns<T> = {
  /**
   * Does `work` when the client's turn comes, or hands over what comes of it elsewhere: whoever wants the same meanwhile
   * shares one run of it, which begins when the first of their turns comes. @throws what `work` throws.
   */
  run: (key: string, client: string, work: () => Promise<T>) => Promise<T | Refused>;
  /** Whoever comes from now on starts anew (everything without a key); those who wait get what is under way. */
  forget: (key?: string) => void;
};

type Job<T> = {
  result?: Promise<T>;
  /** Resolves with the word when `result` is there. */
  begun: Promise<'begun'>;
  tellBegun: () => void;
  /** By client: those behind one address share one place in line. */
  asked: Map<string, Promise<T | Refused>>;
};

/** @param enter takes a client's place in line */
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
