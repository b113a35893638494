import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReaper } from '../../../scripts/infra/reaper.mjs';

/** A temporary folder for servers of a tool's own, and what ends them if we are killed. */
export type Workspace = {
  dir: string;
  logFile(name: string): string;
  /** @param pid ends when we do; negative: a whole process group */
  watch(pid: number | undefined): void;
  /** Removes the folder. Call it once the processes have ended. */
  close(): void;
};

/** @param tool names the folder */
export function openWorkspace(tool: string): Workspace {
  const dir = mkdtempSync(join(tmpdir(), `seckill-${tool}-`));
  // A Postgres started by root runs as somebody else.
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
