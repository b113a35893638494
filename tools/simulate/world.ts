import { isOutage } from '@/lib/errors/is-outage';
import { createRandom, type Random } from '@/tools/harness/random';
import { Executor } from './actors/executor';
import { Provider } from './actors/provider';
import { drawFaultProfile, type FaultProfile } from './fault-profile';
import { Ledger } from './ledger';
import { Scheduler } from './scheduler';
import type { SimProcess } from './sim-process';
import { PostgresStore } from './stores/postgres';
import { RedisStore } from './stores/redis';
import { StockVerbs } from './stores/stock';

/** A part of the system that can fail to answer. */
export type Part = 'redis' | 'postgres' | 'executor';

export const SALE_ID = 'sale_1';
export const GATE = 'gate';
const REQUEST_TIMEOUT_MS = 30_000;
const START_MS = Date.UTC(2026, 0, 2);
/** Five bits of an order number tell the workers apart. Each new process takes the next number, as if by a lease. */
const WORKERS = 31;

/** One schedule: its time, its random choices, its stores, and the broken promises found so far. */
export class World {
  readonly time = new Scheduler(START_MS);
  readonly random: Random;
  readonly profile: FaultProfile;
  readonly redis = new RedisStore(() => Math.floor(this.time.now));
  readonly stock = new StockVerbs(this.redis);
  readonly postgres = new PostgresStore();
  readonly executor = new Executor(this);
  readonly provider = new Provider(this);
  readonly ledger = new Ledger();
  readonly processes: SimProcess[] = [];
  /** Faults are made until this moment. */
  readonly wellFrom: number;
  readonly violations: string[] = [];
  /** A log of the schedule, line by line; undefined if the caller did not ask for it. */
  readonly trail: string[] | undefined;
  /** How often each kind of fault was made. */
  readonly injected: Record<string, number> = {};
  /** When the books were last compared. */
  lookedAt = 0;
  private readonly downUntil: Record<Part, number> = { redis: 0, postgres: 0, executor: 0 };
  private readonly locks = new Map<string, { holder: SimProcess; until: number }>();
  private workers = 0;
  private ids = 0;

  constructor(
    readonly seed: number,
    { isTold }: { isTold: boolean },
  ) {
    this.random = createRandom(seed);
    // The label is part of a seed's meaning: with another label, known seeds would draw other schedules.
    this.profile = drawFaultProfile(this.random.fork('mood'));
    this.wellFrom = START_MS + this.profile.troubleSec * 1_000;
    this.trail = isTold ? [] : undefined;
  }

  get isWell(): boolean {
    return this.time.now >= this.wellFrom;
  }

  /** Tells whether a fault of this probability happens now; counts it under `kind`. */
  strikes(kind: string, probability: number): boolean {
    if (probability === 0 || this.isWell || !this.random.chance(probability)) return false;
    this.count(kind);
    return true;
  }

  count(kind: string): void {
    this.injected[kind] = (this.injected[kind] ?? 0) + 1;
  }

  isUp = (part: Part): boolean => this.time.now >= this.downUntil[part];

  takeDown(part: Part, sec: number): void {
    this.downUntil[part] = Math.min(this.time.now + sec * 1_000, this.wellFrom);
    this.count(`${part} down`);
    this.tell(part, `down for ${Math.round(sec)} s`);
  }

  /** Returns how long a call takes on its way, in ms. */
  latencyMs(): number {
    if (this.strikes('slow', this.profile.slow)) return 200 + this.random.next() ** 3 * 12_000;
    return this.random.next() * 5;
  }

  violate(text: string): void {
    if (this.violations.includes(text)) return;
    this.violations.push(text);
    this.tell('VIOLATION', text);
  }

  /** Records a violation: an unexpected error has ended an actor. */
  readonly fail = (error: unknown): void => {
    this.violate(`error: ${error instanceof Error ? error.stack : error}`);
  };

  /** Accepts only outages as errors of the product's own verbs; any other is a violation. */
  judge(error: unknown): void {
    if (!isOutage(error)) this.fail(error);
  }

  tell(who: string, what: string): void {
    if (!this.trail) return;
    const ms = (this.time.now - START_MS).toFixed(1).padStart(9);
    this.trail.push(`${ms}  ${who.padEnd(10)} ${what}`);
  }

  /** Picks a running process of this kind; undefined if there is none. */
  anyProcess(kind: SimProcess['kind']): SimProcess | undefined {
    const alive = this.processes.filter((process) => process.isAlive && process.kind === kind);
    return alive.length > 0 ? this.random.pick(alive) : undefined;
  }

  /** Sends a request over the network to some web process. Null: no answer, whatever the process has done. */
  async request<T>(work: (web: SimProcess) => T | Promise<T>): Promise<T | null> {
    await this.time.sleep(this.latencyMs());
    const web = this.anyProcess('web');
    if (!web || this.strikes('lost', this.profile.lost)) return null;
    try {
      const answer = await web.within(REQUEST_TIMEOUT_MS, async () => work(web));
      return this.strikes('lost', this.profile.lost) ? null : answer;
    } catch (error) {
      this.judge(error);
      return null;
    }
  }

  takeLock(name: string, process: SimProcess, ttlMs: number): boolean {
    const lock = this.locks.get(name);
    const isHeld = lock?.holder.isAlive && lock.until > this.time.now;
    // Sometimes a lock is lost; the work it protects must tolerate that.
    if (isHeld && !this.strikes('lock lost', this.profile.lost)) return false;
    this.locks.set(name, { holder: process, until: this.time.now + ttlMs });
    return true;
  }

  /** Renews a lock. A holder that knows of its lock does this; if the answer never reached it, the lock expires. */
  renewLock(name: string, process: SimProcess): void {
    const lock = this.locks.get(name);
    if (lock?.holder === process) lock.until = Number.POSITIVE_INFINITY;
  }

  dropLock(name: string, process: SimProcess): void {
    if (this.locks.get(name)?.holder === process) this.locks.delete(name);
  }

  nextWorker(): number {
    this.workers += 1;
    return this.workers % WORKERS;
  }

  nextId(kind: string): string {
    this.ids += 1;
    return `${kind}_${this.ids}`;
  }
}
