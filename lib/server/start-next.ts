import 'server-only';
import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { log } from '@/lib/http/log';
import { backoffMs } from '@/lib/outbox/backoff';
import type { ForgetPages } from './page-changes';
import { privateSocketPath } from './private-socket-path';
import { openUpstream, type Upstream } from './upstream';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A process that has run as long as this is sound: what was before is forgotten. */
const STEADY_MS = 30_000;

export type NextProcess = {
  upstream: Upstream;
  /** Who is to be told that pages have changed; without `paths`, that any may have. */
  onPagesChanged: (listener: (paths?: readonly string[]) => void) => void;
  /** Resolves when it has ended, which it does by itself once it is alone. */
  stop: () => Promise<void>;
};

/**
 * Starts Next in a process of its own and keeps it up, with growing pauses where it ends again and again. Its promise hooks,
 * its garbage and its rendering then cost a purchase nothing, and should it crash, sales go on while it starts again.
 * @param file what to run, see `scripts/serve-next.ts`.
 * @throws Error when it ends before it was ever ready.
 */
export async function startNext(file: string): Promise<NextProcess> {
  const socketPath = privateSocketPath();
  const upstream = openUpstream(socketPath);
  let isStopping = false;
  let failures = 0;
  let child: ChildProcess;
  let tell: (paths?: readonly string[]) => void = () => {};

  const launch = () =>
    new Promise<void>((resolve, reject) => {
      const startedAt = performance.now();
      const onEnd = (how: unknown) => {
        reject(new Error(`Next ended with ${how}`));
        if (isStopping) return;
        failures = performance.now() - startedAt < STEADY_MS ? failures + 1 : 1;
        const pauseMs = backoffMs(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
        log.error({ how: String(how), failures, pauseMs }, 'Next ended; it is started again');
        setTimeout(() => !isStopping && relaunch(), pauseMs);
      };
      try {
        rmSync(socketPath, { force: true });
        // Not this process's own flags: they are for the hot path, or for its profile.
        child = fork(file, [socketPath], { execArgv: ['--enable-source-maps'] });
      } catch (error) {
        // No memory for another process, say.
        onEnd(error);
        return;
      }
      const { pid } = child;
      child.on('message', (message: { type: 'ready' } | ForgetPages) => {
        if (message.type === 'ready') resolve();
        else tell(message.paths);
      });
      child.once('exit', (code, signal) => onEnd(code ?? signal));
      // One that could not even be started never exits; unheard its error would end us.
      child.on('error', (error) => pid === undefined && onEnd(error.message));
    });
  const relaunch = () => {
    // Until then pages are shown as they were; what has changed meanwhile nobody has told.
    launch().then(
      () => tell(),
      () => {},
    );
  };
  const forgetSocket = () => rmSync(dirname(socketPath), { recursive: true, force: true });
  await launch().catch((error: unknown) => {
    isStopping = true;
    forgetSocket();
    throw error;
  });

  return {
    upstream,
    onPagesChanged(listener) {
      tell = listener;
    },
    async stop() {
      isStopping = true;
      upstream.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (child.connected) child.disconnect();
      if (isRunning) await ended;
      forgetSocket();
    },
  };
}
