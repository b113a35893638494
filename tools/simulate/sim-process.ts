import type { AppFunction } from './actors/executor';
import type { Bundle, ProcessApi } from './bundle/load-bundle';
import { createModules } from './fakes/create-modules';
import type { Transaction } from './stores/tables';
import type { Part, World } from './world';

/** As the drivers say it; `isOutage` knows both. */
const OUTAGES: Record<Part, () => Error> = {
  redis: () => new Error('Connection is closed.'),
  postgres: () => Object.assign(new Error("Can't reach database server"), { code: 'P1001' }),
  executor: () => new TypeError('fetch failed'),
};
const FREEZE_MS = 13_000;
const LATE_MS = 12_000;

type CallOptions = {
  /** The connection broke before the effect: for good. */
  onRefused?: () => void;
  /** Whether the effect may still come after the caller was refused. */
  mayBeLate?: boolean;
};

/**
 * One simulated process: an instance of the product's own composition with memory and timers of its own. Every call it
 * makes to a store passes through here, and here is where it may be delayed, refused, lost, or the last thing it does.
 */
export class SimProcess {
  isAlive = true;
  readonly api: ProcessApi;
  /** What the executor may run here. */
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

  /** Asks a part for something that takes effect in one step there. Never answers a process that is dead by then. */
  call<T>(part: Part, what: string, effect: () => T | Promise<T>, options: CallOptions = {}): Promise<T> {
    const { world } = this;
    const { profile, time } = world;
    return new Promise<T>((resolve, reject) => {
      if (!this.isAlive) return;
      const fail = () => this.answer(() => reject(OUTAGES[part]()));
      time.after(world.latencyMs(), () => {
        // Messages of a process that died may still arrive.
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

  /** Something in this process's future, unless it is dead by then. */
  after(delayMs: number, run: () => void): () => void {
    return this.world.time.after(delayMs, () => this.answer(run));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** The result of work done here. @throws an outage once it takes longer than `ms`, or the process dies over it. */
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
    // Postgres sees the connections close; what was under way may be faster.
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
