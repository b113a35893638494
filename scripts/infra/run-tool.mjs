import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { Problem } from './problem.mjs';

/** Tools that run to their end, so that a signal can reach them too. */
const running = new Set();

/**
 * Runs a command to its end with its output in a file.
 * @param {{ what: string, command: string, args: string[], logFile: string, cwd: string, env?: NodeJS.ProcessEnv, advice?: string }} options
 *   `what`: how the sentence about its failure begins; `advice`: the one thing to do then.
 * @returns {Promise<string>} what it printed.
 * @throws {Problem} with its last meaningful line when it fails.
 */
export async function runTool({ what, command, args, logFile, cwd, env = process.env, advice }) {
  const from = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(logFile, 'a');
  const outcome = await new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', log, log] });
    running.add(child);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
    child.once('close', () => running.delete(child));
  });
  closeSync(log);
  const output = readFileSync(logFile).subarray(from).toString();
  if (outcome === undefined) return output;
  const reason = lastMeaningfulLine(output) ?? outcome;
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
