import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpuTicks } from './cpu-ticks.mjs';
import { saysFull } from './full-disk.mjs';
import { Problem } from './problem.mjs';
import { stopChild, whenEnded } from './processes.mjs';
import { lastLineOf } from './read-log.mjs';
import { rotateLog } from './rotate-log.mjs';
import { stuckReason, watchForProgress } from './watch-for-progress.mjs';

const TAIL_LENGTH = 64 * 1024;
/** How long to wait for a tool's last output after it has ended; a process it left behind may hold the pipe forever. */
const PIPE_GRACE_MS = 2_000;
/** A tool that does not end by itself within this time is killed. */
const STOP_GRACE_MS = 3_000;

/** The tools running now, so that a signal can reach them too. */
const running = new Set();

/**
 * Runs a command to its end. Reads its output, so that its reason is known even when the disk is full, and writes it
 * to a file.
 * @param {{ what: string, command: string, args: string[], logFile: string, cwd: string, env?: NodeJS.ProcessEnv,
 *   uid?: number, gid?: number, advice?: string, isPrivate?: boolean, wait?: import('./progress.mjs').Wait }} options
 *   `what`: how the sentence about its failure begins; `advice`: the one thing to do then; `isPrivate`: its standard
 *   output is for us alone and goes into no file; `wait`: gets what it prints last.
 * @returns {Promise<string>} what it printed, at most the last 64 Ki characters; if private, only on standard output.
 * @throws {Problem} with its last meaningful line when it fails, or hangs for ten minutes.
 */
export async function runToEnd({
  what,
  command,
  args,
  logFile,
  advice,
  env = process.env,
  isPrivate = false,
  wait = () => {},
  ...rest
}) {
  const output = collect(logFile);
  let answer = '';
  wait(() => lastLineOf(output.text()));
  let isStuck = false;
  const outcome = await new Promise((resolve) => {
    const child = spawn(command, args, { ...rest, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // A process that can't be started has no id; an error without a listener would end us.
    child.on('error', () => {});
    const keepAnswer = (chunk) => {
      answer += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', isPrivate ? keepAnswer : output.add);
    child.stderr.setEncoding('utf8').on('data', output.add);
    running.add(child);
    const signs = () => `${output.length()} ${cpuTicks(child.pid ?? 0) ?? Date.now()}`;
    const stopWatching = watchForProgress(signs, () => {
      isStuck = true;
      child.kill('SIGKILL');
    });
    whenEnded(child, (how) => {
      stopWatching();
      running.delete(child);
      const timer = setTimeout(resolve, PIPE_GRACE_MS, how);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(how);
      });
    });
  });
  if (outcome === 'exit code 0') return isPrivate ? answer : output.text();
  const reason = isStuck ? stuckReason() : lastMeaningfulLine(output.text()) || outcome;
  const next = reason === FULL ? 'Make room and try again.' : advice;
  throw new Problem(`${what}: ${reason}. ${next ?? `The whole output is in ${logFile}.`}`);
}

const FULL = 'the disk is full';

/** Collects a tool's output in memory and, as far as there is room, in a file. */
function collect(logFile) {
  let text = '';
  let length = 0;
  const append = (chunk) => {
    try {
      appendFileSync(logFile, chunk);
    } catch {
      // The disk is full; the output in memory says enough.
    }
  };
  try {
    rotateLog(logFile);
  } catch {
    // As above.
  }
  return {
    add(chunk) {
      text = (text + chunk).slice(-TAIL_LENGTH);
      length += chunk.length;
      append(chunk);
    },
    text: () => text,
    length: () => length,
  };
}

/**
 * Ends all tools that still run; for a signal in the middle of a start. Waits for them, because what a tool holds,
 * such as the lock of the checkout, is free only when it has ended.
 * @param {NodeJS.Signals} [signal]
 */
export async function stopPrograms(signal = 'SIGTERM') {
  await Promise.all([...running].map((child) => stopChild(child, { signal, graceMs: STOP_GRACE_MS })));
}

/** Stack frames and blank lines don't help a person. */
function lastMeaningfulLine(output) {
  if (saysFull(output)) return FULL;
  // npm says first what is wrong, then how to use it.
  const npm = output.match(/^npm (?:error|ERR!) (?!code |errno |syscall |path |A complete)(\S.*?)\.?$/m);
  if (npm) return npm[1];
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^at |^\^+$|^\d+: |^}$|^Node\.js v/.test(line));
  const thrown = lines.findLast((line) => /^\w*Error\b.*: |\berror TS\d+: /.test(line));
  return (thrown ?? lines.at(-1))?.replace(/\.$/, '');
}
