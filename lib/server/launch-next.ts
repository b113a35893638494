import 'server-only';
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/http/log';
import { lowerPriority } from '@/lib/lower-priority';
import type { ForgetPages } from './page-changes';
import { privateSocketPath } from './private-socket-path';
import { openUpstream, type Upstream } from './upstream';
import { whenOver } from './when-over';

/** The messages from Next's process to the process in front of it. */
export type NextMessage = { type: 'ready' } | { type: 'memory'; rssBytes: number } | ForgetPages;

/** One process that runs Next. */
export type NextRun = {
  upstream: Upstream;
  /** Ends the process once it has given its answers. Streams are cut after 65 s. */
  retire: () => Promise<void>;
  /** Ends the process now. Resolves when it has ended. */
  stop: () => Promise<void>;
};

type Options = {
  /** Command-line flags for V8. */
  flags: readonly string[];
  /** Its priority below ours when the processor is busy: 0 to 19 (`nice`). */
  niceness: number;
  onMessage: (message: NextMessage) => void;
  /** Called when the process ended without being told to. */
  onCrash: (how: string) => void;
  /** For tests that do not want to wait. */
  readyWithinMs?: number;
};

/**
 * A start takes some seconds, and far longer on a slow, busy machine. A process that hangs must not block the start
 * of another.
 */
const READY_WITHIN_MS = 120_000;

/** The longest time an answer may take; longer ones are cut off. */
const FINISH_WITHIN_MS = 65_000;
/** Time for Next's work after an answer, such as renewing pages. */
const AFTER_ANSWERS_MS = 5_000;
const LOOK_EVERY_MS = 100;
const KILL_AFTER_MS = 5_000;

/**
 * Starts a process that runs Next; resolves when it is ready. The process ends by itself when its parent is gone.
 * @param file the script to run, see `scripts/serve-next.ts`. @throws Error when the process ends before it was ever
 *   ready; a start that takes too long is killed.
 */
export async function launchNext(file: string, options: Options): Promise<NextRun> {
  const { flags, niceness, onMessage, onCrash, readyWithinMs = READY_WITHIN_MS } = options;
  const socketPath = privateSocketPath();
  const { upstream, countInFlight } = counted(openUpstream(socketPath));
  // Does not pass on this process's own flags: they are for the hot path, or for its profile.
  const child = fork(file, [socketPath], { execArgv: ['--enable-source-maps', ...flags] });
  if (child.pid !== undefined) lowerPriority(child.pid, niceness);
  let isWanted = true;
  let isReady = false;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      rmSync(dirname(socketPath), { recursive: true, force: true });
      upstream.close();
      resolve(how);
    };
    child.once('exit', (code, signal) => end(String(code ?? signal)));
    // A process that could not even start never exits; without a listener its error would end us.
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

/** Counts the requests without a complete answer. */
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
