import { Problem } from './problem.mjs';
import { whenEnded } from './processes.mjs';
import { lastLine, logSize, readLog } from './read-log.mjs';
import { spawnLogged } from './spawn-logged.mjs';
import { signsOfLife, stuckReason, watchForProgress } from './watch-for-progress.mjs';

/** Tools that run to their end, so that a signal can reach them too. */
const running = new Set();

/**
 * Runs a command to its end with its output in a file.
 * @param {{ what: string, command: string, args: string[], logFile: string, cwd: string, env?: NodeJS.ProcessEnv,
 *   uid?: number, gid?: number, advice?: string, isPrivate?: boolean, wait?: import('./progress.mjs').Wait }} options
 *   `what`: how the sentence about its failure begins; `advice`: the one thing to do then; `isPrivate`: what it prints is
 *   for us alone and goes into no file; `wait`: told what it prints last.
 * @returns {Promise<string>} what it printed; from a file at most the last 64 KiB.
 * @throws {Problem} with its last meaningful line when it fails, or hangs for ten minutes.
 */
export async function runTool({
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
  const from = logSize(logFile);
  wait(() => lastLine(logFile, from));
  let isStuck = false;
  let said = '';
  const outcome = await new Promise((resolve) => {
    const stdout = isPrivate ? 'pipe' : undefined;
    const child = spawnLogged(command, args, { ...rest, env, logFile, stdout });
    child.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    running.add(child);
    const stopWatching = watchForProgress(signsOfLife(child, logFile), () => {
      isStuck = true;
      child.kill('SIGKILL');
    });
    whenEnded(child, (how) => {
      stopWatching();
      running.delete(child);
      // All of what was printed has come by then.
      if (child.stdout) child.once('close', () => resolve(how));
      else resolve(how);
    });
  });
  const output = readLog(logFile, from);
  if (outcome === 'exit code 0') return isPrivate ? said : output;
  const reason = isStuck ? stuckReason() : lastMeaningfulLine(output) || outcome;
  throw new Problem(`${what}: ${reason}. ${advice ?? `The whole output is in ${logFile}.`}`);
}

/** Ends whatever tool still runs; for a signal in the middle of a start. */
export function stopTools(signal = 'SIGTERM') {
  for (const child of running) child.kill(signal);
}

/** Stack frames and blank lines say nothing to a person. */
function lastMeaningfulLine(output) {
  if (/ENOSPC|no space left on device/i.test(output)) return 'the disk is full';
  // npm says what is wrong first, then how it is used.
  const npm = output.match(/^npm (?:error|ERR!) (?!code |errno |syscall |path |A complete)(\S.*?)\.?$/m);
  if (npm) return npm[1];
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^at |^\^+$|^\d+: |^}$|^Node\.js v/.test(line));
  const thrown = lines.findLast((line) => /^\w*Error\b.*: |\berror TS\d+: /.test(line));
  return (thrown ?? lines.at(-1))?.replace(/\.$/, '');
}
