import { isOutage } from '@/lib/errors/is-outage';
import { keys } from '@/lib/redis/keys';
import { stocksOf } from '@/lib/slice/stock-ids';
import { createRandom, type Random } from '@/tools/harness/random';
import { Executor } from './actors/executor';
import { Provider } from './actors/provider';
import { CampaignWatch } from './check/campaign-watch';
import { DrawWatch } from './check/draw-watch';
import { LineWatch } from './check/line-watch';
import { QueueWatch } from './check/queue-watch';
import { SplitWatch } from './check/split-watch';
import { WaitlistWatch } from './check/waitlist-watch';
import { drawFaultProfile, type FaultProfile } from './fault-profile';
import { Ledger } from './ledger';
import { drawSaleKind, fitToKind, partsOf, type SaleKind } from './sale-kind';
import { Scheduler } from './scheduler';
import type { SimProcess } from './sim-process';
import { AllowanceVerbs } from './stores/allowances';
import { ParcelVerbs } from './stores/parcels';
import { PostgresStore } from './stores/postgres';
import { QueueVerbs } from './stores/queue';
import { RedisStore } from './stores/redis';
import { StockVerbs } from './stores/stock';
import { WaitlistVerbs } from './stores/waitlist';

/** A part of the system that can fail to answer. */
export type Part = 'redis' | 'postgres' | 'executor';

export const SALE_ID = 'sale_1';
/** The second sale of a campaign. */
export const OTHER_SALE_ID = 'sale_2';
export const GATE = 'gate';
const MOST_SERVERS = 2;
/** Says on which server a hash tag lies where there are two: the second sale, and every other slice of a split sale. */
const serverOf = (tag: string): number =>
  tag === OTHER_SALE_ID ? 1 : Number(/\/(\d+)\./.exec(tag)?.[1] ?? 0) % MOST_SERVERS;
const REQUEST_TIMEOUT_MS = 30_000;
const START_MS = Date.UTC(2026, 0, 2);
/** Five bits of an order number tell the workers apart. Each new process takes the next number, as if by a lease. */
const WORKERS = 31;

/** One schedule: its time, its random choices, its stores, and the broken promises found so far. */
export class World {
  readonly time = new Scheduler(START_MS);
  readonly random: Random;
  readonly profile: FaultProfile;
  readonly redis = new RedisStore(
    () => Math.floor(this.time.now),
    MOST_SERVERS,
    (tag) => (this.servers === 1 ? 0 : serverOf(tag)),
  );
  readonly waitlist = new WaitlistVerbs(this.redis);
  readonly stock = new StockVerbs(this.redis, this.waitlist);
  readonly queue = new QueueVerbs(this.redis, this.stock);
  readonly parcels = new ParcelVerbs(this.redis, this.stock);
  readonly allowances = new AllowanceVerbs(this.redis);
  readonly postgres = new PostgresStore();
  readonly executor = new Executor(this);
  readonly provider = new Provider(this);
  readonly ledger = new Ledger();
  readonly kind: SaleKind;
  readonly waitlistWatch: WaitlistWatch | undefined;
  readonly lineWatch: LineWatch | undefined;
  readonly drawWatch: DrawWatch | undefined;
  readonly queueWatch: QueueWatch | undefined;
  readonly campaignWatch: CampaignWatch | undefined;
  /** One for each sale, if they are split. */
  readonly splitWatches: readonly SplitWatch[];
  readonly saleIds: readonly string[];
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
    { isTold, kind }: { isTold: boolean; kind?: SaleKind },
  ) {
    this.random = createRandom(seed);
    // The label is part of a seed's meaning: with another label, known seeds would draw other schedules.
    const profile = drawFaultProfile(this.random.fork('mood'));
    this.kind = kind ?? drawSaleKind(seed);
    this.profile = fitToKind(profile, this.kind, seed);
    this.waitlistWatch = this.hasWaitlist ? new WaitlistWatch(this, SALE_ID) : undefined;
    this.lineWatch = this.hasLine ? new LineWatch(this, SALE_ID) : undefined;
    this.drawWatch = this.has('draw') ? new DrawWatch(this, SALE_ID) : undefined;
    this.queueWatch = this.has('queue') ? new QueueWatch(this, SALE_ID) : undefined;
    this.saleIds = this.has('campaign') ? [SALE_ID, OTHER_SALE_ID] : [SALE_ID];
    this.campaignWatch = this.has('campaign') ? new CampaignWatch(this) : undefined;
    this.splitWatches = this.has('split') ? this.saleIds.map((saleId) => new SplitWatch(this, saleId)) : [];
    this.wellFrom = START_MS + this.profile.troubleSec * 1_000;
    this.trail = isTold ? [] : undefined;
  }

  /** Tells whether the schedule's kind is this one, or one that it is a part of. */
  has = (part: SaleKind): boolean => partsOf(this.kind).includes(part);

  get hasWaitlist(): boolean {
    return this.has('waitlist') || this.has('draw') || (this.has('restock') && this.seed % 2 === 0);
  }

  /** On how many servers of Redis the keys lie. */
  get servers(): number {
    return this.has('campaign') || this.has('split') ? MOST_SERVERS : 1;
  }

  /** Over how many slices the stock is split. */
  get slices(): number {
    return this.has('split') ? 2 + (this.seed % 2) : 1;
  }

  /** Returns the stocks of all sales: one for each, or one for each slice. */
  get stockIds(): string[] {
    return this.saleIds.flatMap((saleId) => [...stocksOf(saleId, this.slices)]);
  }

  get hasLine(): boolean {
    return this.has('waiting-room') || this.has('draw');
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

  /** Tells whether late money has ever taken a unit again. */
  hasRetaken = (saleId: string): boolean =>
    stocksOf(saleId, this.slices).some(
      (stockId) => Number(this.redis.hash(keys.sale(stockId))?.get('retaken') ?? 0) > 0,
    );

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
