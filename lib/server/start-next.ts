import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/http/log';
import { launchNext, type NextMessage, type NextRun } from './launch-next';
import { failuresInARow, restartPauseMs } from './restart-pause';
import { type Upstream, UpstreamDownError } from './upstream';

const LOOK_EVERY_MS = 500;
/** Leaves a new process alone for a minute: the memory it needs from the start is no growth. */
const REPLACE_EVERY_MS = 60_000;
/** Gives Next half the priority of the process that sells when the processor is too busy for both. */
const NICENESS = 3;

export type NextProcess = {
  upstream: Pick<Upstream, 'forward' | 'call'>;
  /** Registers a listener for changed pages; without `paths`, any page may have changed. */
  onPagesChanged: (listener: (paths?: readonly string[]) => void) => void;
  /** Registers a listener for the moment another process has taken over: the old one's streams should end. */
  onReplaced: (listener: () => void) => void;
  /** Ends Next. Resolves when its process has ended, which also happens by itself when its parent is gone. */
  stop: () => Promise<void>;
};

type StartNextOptions = {
  /** Above this a new process takes over. V8 may use as much for its heap. */
  maxMemoryBytes: number;
  /** For tests that do not want to wait. */
  replaceEveryMs?: number;
  readyWithinMs?: number;
};

/**
 * Starts Next in a process of its own and restarts it, with growing pauses, if it ends. So its promise hooks, garbage
 * and rendering cost a purchase nothing, and sales go on if it crashes. A process that has grown too large is replaced:
 * the old one ends after its last answer, so that no request is refused.
 * @param file the script to run, see `scripts/serve-next.ts`.
 * @throws Error when it ends before it was ever ready.
 */
export async function startNext(
  file: string,
  { maxMemoryBytes, replaceEveryMs = REPLACE_EVERY_MS, readyWithinMs }: StartNextOptions,
): Promise<NextProcess> {
  let active: NextRun | undefined;
  let isStopping = false;
  let isLaunching = false;
  let replacedAt = performance.now();
  let launchedAt = performance.now();
  let failures = 0;
  let tell: (paths?: readonly string[]) => void = () => {};
  let tellReplaced = () => {};
  /** Processes that another has replaced and that still finish their answers. */
  const retiring = new Set<NextRun>();

  const launch = async () => {
    isLaunching = true;
    launchedAt = performance.now();
    try {
      const run = await launchNext(file, {
        flags: [`--max-old-space-size=${Math.ceil(maxMemoryBytes / 2 ** 20)}`],
        niceness: NICENESS,
        onMessage: (message) => (message.type === 'memory' ? look(message, () => run) : hear(message)),
        onCrash: (how) => void restart(how, () => run),
        readyWithinMs,
      });
      return run;
    } finally {
      isLaunching = false;
    }
  };
  const hear = (message: NextMessage) => {
    if (message.type === 'forget-pages') tell(message.paths);
  };
  const restart = async (how: string, crashed: () => NextRun) => {
    if (isStopping || crashed() !== active) return;
    active = undefined;
    failures = failuresInARow(failures, launchedAt);
    for (let why: unknown = how; !isStopping && !active; ) {
      const pauseMs = restartPauseMs(failures);
      log.error({ err: why, failures, pauseMs }, 'Next ended; it is started again');
      await delay(pauseMs);
      // A replacement may just be starting.
      while (isLaunching) await delay(LOOK_EVERY_MS);
      if (isStopping || active) break;
      active = await launch().catch((error: unknown) => {
        why = error;
        failures += 1;
        return undefined;
      });
    }
    // Until now the server showed the old pages; no message told what has changed meanwhile.
    tell();
  };
  const look = ({ rssBytes }: { rssBytes: number }, from: () => NextRun) => {
    const old = active;
    if (rssBytes <= maxMemoryBytes || isStopping || isLaunching || !old || from() !== old) return;
    if (performance.now() - replacedAt < replaceEveryMs) return;
    replacedAt = performance.now();
    log.warn({ rssBytes, maxMemoryBytes }, 'Next has grown too large; another process takes over');
    launch().then(
      (next) => {
        if (isStopping) return next.stop();
        active = next;
        tellReplaced();
        retiring.add(old);
        void old.retire().then(() => retiring.delete(old));
      },
      (err: unknown) => log.error({ err }, 'no other process of Next could be started'),
    );
  };
  const current = (): Upstream => {
    if (!active) throw new UpstreamDownError('Next is being started again');
    return active.upstream;
  };

  active = await launch();
  return {
    upstream: {
      forward: async (...asked) => current().forward(...asked),
      call: async (...asked) => current().call(...asked),
    },
    onPagesChanged(listener) {
      tell = listener;
    },
    onReplaced(listener) {
      tellReplaced = listener;
    },
    async stop() {
      isStopping = true;
      await Promise.all([active, ...retiring].map((run) => run?.stop()));
    },
  };
}
