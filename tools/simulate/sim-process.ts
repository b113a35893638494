import type { AppFunction } from './actors/executor';
import type { Bundle, ProcessApi } from './bundle/load-bundle';
import { createModules } from './fakes/create-modules';
import type { Transaction } from './stores/tables';
import type { Part, World } from './world';

/** The drivers' own words for an outage; `isOutage` recognises them. */
const OUTAGES: Record<Part, () => Error> = {
  redis: () => new Error('Connection is closed.'),
  postgres: () => Object.assign(new Error("Can't reach database server"), { code: 'P1001' }),
  executor: () => new TypeError('fetch failed'),
};
const FREEZE_MS = 13_000;
const LATE_MS = 12_000;

type CallOptions = {
  /** Called when the effect will certainly not happen, because the connection broke before it. */
  onRefused?: () => void;
  /** Whether the effect may still come after the caller got a refusal. */
  mayBeLate?: boolean;
};

/**
 * One simulated process: an instance of the product's own composition with memory and timers of its own. Every call
 * it makes to a store passes through here. Here a call may be delayed, refused or lost, or the process may die at it.
 */
export class SimProcess {
  isAlive = true;
  readonly api: ProcessApi;
  /** The functions that the executor may run in this process. */
  readonly functions: readonly AppFunction[];
  readonly transactions = new Set<Transaction>();
  private frozenUntil = 0;
  private readonly deathWatch = new Set<() => void>();

  constructor(
    readonly world: World,
    readonly kind: 'web' | 'worker',
    readonly name: string,
    bundle: Bundle,
  ) {
    const modules = createModules(this);
    this.api = bundle.start(modules, this);
    this.functions = this.api.allFunctions(modules['inngest/client'].inngest() as never) as never;
  }

  /** Calls a part; the effect happens there in one step. Never answers a process that has died meanwhile. */
  call<T>(part: Part, what: string, work: () => T | Promise<T>, options: CallOptions = {}): Promise<T> {
    const { world } = this;
    const effect = () => {
      const done = work();
      if (part === 'redis') {
        world.waitlistWatch?.look();
        world.drawWatch?.look();
        world.queueWatch?.look();
        world.campaignWatch?.lookAtRedis();
        for (const watch of world.splitWatches) watch.look();
      }
      if (part !== 'postgres' || !(world.lineWatch || world.campaignWatch || world.splitWatches.length > 0))
        return done;
      return Promise.resolve(done).finally(() => {
        world.lineWatch?.look();
        world.campaignWatch?.lookAtPostgres();
        for (const watch of world.splitWatches) watch.look();
      });
    };
    const { profile, time } = world;
    return new Promise<T>((resolve, reject) => {
      if (!this.isAlive) return;
      const fail = () => this.answer(() => reject(OUTAGES[part]()));
      time.after(world.latencyMs(), () => {
        // Messages of a process that has died may still arrive.
        if (!this.isAlive && world.random.chance(0.5)) return options.onRefused?.();
        if (!world.isUp(part) || world.strikes('refused', profile.refused)) {
          world.tell(this.name, `${what} refused`);
          options.onRefused?.();
          return fail();
        }
        if (world.strikes('crash', profile.crash / 2)) {
          options.onRefused?.();
          return this.crash(`before ${what}`);
        }
        if (options.mayBeLate !== false && world.strikes('late', profile.late)) {
          const lateMs = world.random.next() * LATE_MS;
          world.tell(this.name, `${what} refused, comes ${Math.round(lateMs)} ms late`);
          time.after(
            lateMs,
            () =>
              void Promise.resolve()
                .then(effect)
                .catch(() => {}),
          );
          return fail();
        }
        this.perform(what, effect).then(
          (value) => {
            if (world.strikes('crash', profile.crash / 2)) return this.crash(`after ${what}`);
            if (world.strikes('lost', profile.lost)) {
              world.tell(this.name, `${what} done, answer lost`);
              return fail();
            }
            if (world.strikes('freeze', profile.freeze)) {
              this.frozenUntil = time.now + 1_000 + world.random.next() * FREEZE_MS;
              world.tell(this.name, `stands still for ${Math.round(this.frozenUntil - time.now)} ms`);
            }
            this.answer(() => resolve(value));
          },
          (error) => this.answer(() => reject(error)),
        );
      });
    });
  }

  /** Runs `run` in this process later, unless the process has died by then. */
  after(delayMs: number, run: () => void): () => void {
    return this.world.time.after(delayMs, () => this.answer(run));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /**
   * Returns the result of work done in this process.
   * @throws an outage if it takes longer than `ms`, or the process dies meanwhile.
   */
  within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const gone = () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' }));
      this.deathWatch.add(gone);
      const cancel = this.world.time.after(ms, gone);
      work()
        .then(resolve, reject)
        .finally(() => {
          cancel();
          this.deathWatch.delete(gone);
        });
    });
  }

  onDeath(run: () => void): void {
    this.deathWatch.add(run);
  }

  crash(when: string): void {
    if (!this.isAlive) return;
    this.world.tell(this.name, `dies ${when}`);
    this.isAlive = false;
    // Postgres notices that the connections are closed, but statements under way may be faster.
    for (const tx of this.transactions)
      this.world.time.after(this.world.random.next() * 10, () => tx.rollback());
    for (const hear of this.deathWatch) hear();
  }

  private async perform<T>(what: string, effect: () => T | Promise<T>): Promise<T> {
    try {
      const value = await effect();
      this.world.tell(this.name, what);
      return value;
    } catch (error) {
      if (error instanceof Error && error.name === 'StockCorruptError')
        this.world.violate(`1: ${error.message}`);
      this.world.tell(this.name, `${what}: ${error instanceof Error ? error.message : error}`);
      throw error;
    }
  }

  private answer(hear: () => void): void {
    if (!this.isAlive) return;
    const { time } = this.world;
    if (time.now < this.frozenUntil) time.after(this.frozenUntil - time.now, () => this.answer(hear));
    else hear();
  }
}
