import { commandLine, isSameProcess, parentOf, startMark } from './processes.mjs';

const INTERVAL_MS = 250;

/**
 * Calls `onGone` when the npm that started us is gone: a signal to npm alone ends npm and its shell, not us. After a
 * direct start (`node scripts/start.mjs`, a service manager) there is nothing to watch, and the product is meant to
 * outlive the shell.
 * @param {() => void} onGone
 */
export function watchNpm(onGone) {
  const npm = findNpm();
  if (!npm) return;
  const timer = setInterval(() => {
    if (isSameProcess(npm)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS);
  timer.unref();
}

/** npm, or the shell in which it runs scripts, is at most two levels up. */
function findNpm() {
  let pid = process.pid;
  for (let step = 0; step < 2; step += 1) {
    pid = parentOf(pid);
    if (pid > 1 && /^npm |npm-cli\.js|\bnpm (start|run|exec)\b/.test(commandLine(pid))) {
      return { pid, mark: startMark(pid) };
    }
  }
  return undefined;
}
