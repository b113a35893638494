import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReaper } from '../../../scripts/infra/reaper.mjs';

/** A temporary folder for a tool's own servers, and a watcher that ends the servers if we are killed. */
export type Workspace = {
  dir: string;
  logFile(name: string): string;
  /** Adds a process to the watcher. @param pid ends when we do; negative: a whole process group */
  watch(pid: number | undefined): void;
  /** Removes the folder. Call it once the processes have ended. */
  close(): void;
};

/** Opens a workspace. @param tool names the folder */
export function openWorkspace(tool: string): Workspace {
  const dir = mkdtempSync(join(tmpdir(), `seckill-${tool}-`));
  // If root starts Postgres, it runs as another user, who must be able to enter the folder.
  chmodSync(dir, 0o711);
  mkdirSync(join(dir, 'logs'));
  const reaper = startReaper(dir);
  return {
    dir,
    logFile: (name) => join(dir, 'logs', `${name}.log`),
    watch: (pid) => void reaper.watch(pid),
    close() {
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}
