import 'server-only';
import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/http/log';
import type { ForgetPages } from './page-changes';
import { privateSocketPath } from './private-socket-path';
import { openUpstream, type Upstream } from './upstream';
import { whenOver } from './when-over';

/** What Next's process tells the one before it. */
export type NextMessage = { type: 'ready' } | { type: 'memory'; rssBytes: number } | ForgetPages;

/** One process that runs Next. */
export type NextRun = {
  upstream: Upstream;
  /** Ends it when it has answered what it was asked. Streams are cut after 65 s. */
  retire: () => Promise<void>;
  /** Ends it now. Resolves when it has ended. */
  stop: () => Promise<void>;
};

type Options = {
  /** For V8. */
  flags: readonly string[];
  /** How much less of the processor it gets than we do when there is not enough: 0 to 19 (`nice`). */
  niceness: number;
  onMessage: (message: NextMessage) => void;
  /** It ended although nobody wanted it to. */
  onCrash: (how: string) => void;
  /** For tests that need not wait. */
  readyWithinMs?: number;
};

/** It takes some seconds, and far longer on a slow, busy machine. One that hangs must not keep others from being started. */
const READY_WITHIN_MS = 120_000;

/** The longest an answer may take; what takes longer is cut off. */
const FINISH_WITHIN_MS = 65_000;
/** What Next does after an answer, such as making pages anew. */
const AFTER_ANSWERS_MS = 5_000;
const LOOK_EVERY_MS = 100;
const KILL_AFTER_MS = 5_000;

/**
 * Starts a process that runs Next; resolves when it is ready. It ends by itself once it is alone.
 * @param file what to run, see `scripts/serve-next.ts`. @throws Error when it ends before it was ever ready; it is killed
 * if that takes too long.
 */
export async function launchNext(file: string, options: Options): Promise<NextRun> {
  const { flags, niceness, onMessage, onCrash, readyWithinMs = READY_WITHIN_MS } = options;
  const socketPath = privateSocketPath();
  const { upstream, countInFlight } = counted(openUpstream(socketPath));
  // Not this process's own flags: they are for the hot path, or for its profile.
  const child = fork(file, [socketPath], { execArgv: ['--enable-source-maps', ...flags] });
  lowerPriority(child, niceness);
  let isWanted = true;
  let isReady = false;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      rmSync(dirname(socketPath), { recursive: true, force: true });
      upstream.close();
      resolve(how);
    };
    child.once('exit', (code, signal) => end(String(code ?? signal)));
    // One that could not even be started never exits; unheard, its error would end us.
    child.on('error', (error) => child.pid === undefined && end(error.message));
  });
  void ended.then((how) => isReady && isWanted && onCrash(how));

  const stop = async () => {
    isWanted = false;
    upstream.close();
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    await ended;
    clearTimeout(timer);
  };
  const tooSlow = setTimeout(() => {
    log.error({ pid: child.pid, readyWithinMs }, 'Next does not become ready; it is killed');
    child.kill('SIGKILL');
  }, readyWithinMs);
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: NextMessage) => {
      if (message.type !== 'ready') return onMessage(message);
      isReady = true;
      resolve();
    });
    void ended.then((how) => reject(new Error(`Next ended with ${how}`)));
  }).finally(() => clearTimeout(tooSlow));
  return {
    upstream,
    stop,
    async retire() {
      isWanted = false;
      const until = performance.now() + FINISH_WITHIN_MS;
      while (countInFlight() > 0 && performance.now() < until) await delay(LOOK_EVERY_MS);
      await Promise.race([delay(AFTER_ANSWERS_MS), ended]);
      await stop();
    },
  };
}

/** Counts the requests that have not been answered to the end. */
function counted(upstream: Upstream): { upstream: Upstream; countInFlight: () => number } {
  let inFlight = 0;
  const begin = () => {
    inFlight += 1;
  };
  const end = () => {
    inFlight -= 1;
  };
  return {
    countInFlight: () => inFlight,
    upstream: {
      ...upstream,
      async forward(request, response, body) {
        begin();
        whenOver(request, response, end);
        await upstream.forward(request, response, body);
      },
      async call(...asked) {
        begin();
        try {
          const answer = await upstream.call(...asked);
          answer.once('close', end);
          return answer;
        } catch (error) {
          end();
          throw error;
        }
      },
    },
  };
}

function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch (err) {
    // Not every system lets us. It works without, too.
    log.warn({ err }, 'the priority of Next could not be lowered');
  }
}
