import { spawn } from 'node:child_process';

/**
 * Starts a process that cleans up when a test run is killed. It has a process group of its own and holds the other
 * end of a pipe: when our end closes, for whatever reason, it kills the processes we named and removes the folder.
 * @param {string} [dir] the temporary folder
 */
export function startReaper(dir) {
  const code = `
    let said = '';
    process.stdin.on('data', (chunk) => { said += chunk; });
    process.stdin.on('end', () => {
      const pids = new Set();
      for (const line of said.split('\\n').filter(Boolean))
        pids[line[0] === '+' ? 'add' : 'delete'](line.slice(1));
      for (const pid of pids) { try { process.kill(Number(pid), 'SIGKILL'); } catch {} }
      const dir = ${JSON.stringify(dir ?? '')};
      if (dir) setTimeout(() => require('node:fs').rmSync(dir, { recursive: true, force: true }), 500);
    });`;
  const reaper = spawn(process.execPath, ['-e', code], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  reaper.stdin.on('error', () => {});
  reaper.unref();
  // A pipe to a child is a socket.
  /** @type {any} */ (reaper.stdin).unref?.();
  return {
    /** @param {number | undefined} pid to kill if we die; negative: a whole process group. */
    watch: (pid) => pid && reaper.stdin.write(`+${pid}\n`),
    /** @param {number | undefined} pid has ended: another process may get its number. */
    forget: (pid) => pid && reaper.stdin.write(`-${pid}\n`),
    /** Called after a proper clean-up. */
    dismiss: () => void reaper.kill(),
  };
}
