import { type OrderBatch, unpackOrders } from '@/lib/outbox/order-batch';
import type { SimProcess } from '../sim-process';
import type { World } from '../world';

export type AppEvent = { id: string; name: string; data: Record<string, unknown>; ts?: number };

type Step = {
  run: (id: string, work: () => Promise<unknown>) => Promise<unknown>;
  sleepUntil: (id: string, at: Date) => Promise<void>;
  sendEvent: (id: string, events: AppEvent[]) => Promise<void>;
};
type Handler = (context: { event: AppEvent; runId: string; step: Step; error?: Error }) => Promise<unknown>;

/** A function of the product, as the simulated `createFunction` returns it. */
export type AppFunction = {
  config: { id: string; triggers: { name?: string; cron?: string }[]; retries: number; onFailure?: Handler };
  handler: Handler;
};

type Run = {
  id: string;
  functionId: string;
  event: AppEvent;
  isFailureHandler: boolean;
  attempt: number;
  memo: Map<string, unknown>;
  sleptUntil: Set<string>;
  isOpen: boolean;
};

/** Thrown to end an attempt; the run goes on at another time. */
class Sleeps extends Error {
  constructor(readonly until: number) {
    super('sleeps');
  }
}

/** Waits after the 1st, 2nd, 3rd … failed attempt, in ms. */
const BACKOFF_MS = [500, 2_000, 5_000, 10_000];
const TIMEOUT_MS = 20_000;
const FAILURE_RETRIES = 6;
const FAILED = 'inngest/function.failed';

/**
 * The executor. It accepts an event once and runs the functions that the event starts in some web process, until they
 * succeed or have used up their attempts. It remembers finished steps. It never loses an accepted event, but may
 * deliver it twice.
 */
export class Executor {
  private readonly taken = new Set<string>();
  private readonly runs: Run[] = [];

  constructor(private readonly world: World) {}

  /** Accepts an event. An event that was accepted before starts nothing. */
  take(event: AppEvent): void {
    if (this.taken.has(event.id)) return;
    this.taken.add(event.id);
    const starts = Math.max(0, (event.ts ?? 0) - this.world.time.now);
    for (const { config } of this.functions()) {
      if (config.triggers.some(({ name }) => name === event.name))
        this.start(config.id, event, false, starts);
    }
  }

  /** Starts a function as a cron trigger does. */
  runNow(functionId: string): void {
    const id = this.world.nextId('cron');
    this.start(functionId, { id, name: 'cron', data: {} }, false, 0);
  }

  /** Returns the batches of accepted purchases that are not finished yet, oldest first. */
  openBatches(): OrderBatch[] {
    return this.runs.flatMap(({ event, isOpen, functionId }) => {
      if (!isOpen || functionId !== 'create-orders') return [];
      const data = event.name === FAILED ? (event.data.event as AppEvent).data : event.data;
      return unpackOrders(data);
    });
  }

  /** Tells whether no open run has a failed attempt behind it. The other open runs only wait for their time. */
  isIdle = (): boolean => !this.runs.some(({ isOpen, attempt }) => isOpen && attempt > 0);

  private functions(): readonly AppFunction[] {
    const process = this.world.processes[0];
    if (!process) throw new Error('the executor was started before the app');
    return process.functions;
  }

  private start(functionId: string, event: AppEvent, isFailureHandler: boolean, inMs: number): void {
    const id = this.world.nextId('run');
    const memo = { memo: new Map(), sleptUntil: new Set<string>() };
    const run: Run = { id, functionId, event, isFailureHandler, attempt: 0, isOpen: true, ...memo };
    this.runs.push(run);
    this.dispatch(run, inMs);
  }

  private dispatch(run: Run, inMs: number): void {
    const { world } = this;
    world.time.after(inMs + world.latencyMs(), () => void this.attempt(run));
    if (world.strikes('duplicate', world.profile.duplicate)) {
      const later = inMs + world.random.next() * 3_000;
      world.time.after(later, () => void this.attempt(run, true));
    }
  }

  private async attempt(run: Run, isDuplicate = false): Promise<void> {
    const { world } = this;
    if (!run.isOpen) return;
    const process = world.anyProcess('web');
    if (!process || !world.isUp('executor')) {
      if (!isDuplicate) this.dispatch(run, 500);
      return;
    }
    const nth = run.attempt;
    world.tell(
      'executor',
      `${run.functionId} ${run.isFailureHandler ? 'failed ' : ''}attempt ${nth} by ${process.name}`,
    );
    const outcome = await this.perform(process, run);
    if (!run.isOpen || run.attempt !== nth || (isDuplicate && outcome.status !== 'done')) return;
    if (outcome.status === 'done') run.isOpen = false;
    else if (outcome.status === 'sleeps') this.dispatch(run, Math.max(0, outcome.until - world.time.now));
    else this.retry(run, outcome.error);
  }

  private retry(run: Run, error: Error): void {
    const { config } = this.functionOf(run);
    run.attempt += 1;
    this.world.tell('executor', `${run.functionId} failed: ${error.message}`);
    if (run.attempt <= (run.isFailureHandler ? FAILURE_RETRIES : config.retries)) {
      this.dispatch(run, BACKOFF_MS[Math.min(run.attempt, BACKOFF_MS.length) - 1] ?? 0);
      return;
    }
    run.isOpen = false;
    if (run.isFailureHandler || !config.onFailure) return;
    const { name, message } = error;
    const data = { run_id: run.id, function_id: config.id, event: run.event, name, message };
    this.start(run.functionId, { id: `${FAILED}:${run.id}`, name: FAILED, data }, true, 0);
  }

  private functionOf({ functionId }: Run, process?: SimProcess): AppFunction {
    const found = (process?.functions ?? this.functions()).find(({ config }) => config.id === functionId);
    if (!found) throw new Error(`there is no function ${functionId}`);
    return found;
  }

  private async perform(
    process: SimProcess,
    run: Run,
  ): Promise<{ status: 'done' } | { status: 'sleeps'; until: number } | { status: 'failed'; error: Error }> {
    const { handler, config } = this.functionOf(run, process);
    const work = (run.isFailureHandler ? config.onFailure : handler) as Handler;
    const { name, message } = run.event.data;
    const error = Object.assign(new Error(String(message)), { name: String(name) });
    const context = { event: run.event, runId: run.id, step: this.steps(process, run), error };
    try {
      await process.within(TIMEOUT_MS, () => work(context));
      return { status: 'done' };
    } catch (failure) {
      if (failure instanceof Sleeps) return { status: 'sleeps', until: failure.until };
      return { status: 'failed', error: failure instanceof Error ? failure : new Error(String(failure)) };
    }
  }

  private steps(process: SimProcess, run: Run): Step {
    const runOnce = async (id: string, work: () => Promise<unknown>) => {
      if (run.memo.has(id)) return run.memo.get(id);
      const result = await work();
      // The app's answer must arrive before the step counts as done.
      await process.call('executor', `step ${id} done`, () => run.memo.set(id, result));
      return result;
    };
    return {
      run: runOnce,
      sleepUntil: async (id, at) => {
        if (run.sleptUntil.has(id)) return;
        run.sleptUntil.add(id);
        throw new Sleeps(at.getTime());
      },
      sendEvent: async (id, events) =>
        void (await runOnce(id, async () => events.map((event) => this.take(event)))),
    };
  }
}
