import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onPath } from '../../scripts/infra/find-server.mjs';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/seckill');
const TIMEOUT_MS = 300_000;

/**
 * Finds promtool, which only a test needs: the one on the PATH, or Debian's, extracted from its package. Installing
 * the package would start a Prometheus on machines with systemd.
 * @param {{ cache?: string, path?: string }} [seams] for tests
 * @returns {string | null} the full path of the executable; null where there is none.
 */
export function findPromtool({ cache = CACHE, path = process.env.PATH ?? '' } = {}) {
  const found = onPath(['promtool'], path);
  if (found) return found;
  const kept = join(cache, 'promtool');
  if (existsSync(kept)) return kept;
  const [apt, dpkg] = ['apt-get', 'dpkg-deb'].map((name) => onPath([name], path));
  if (!apt || !dpkg) return null;
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'prometheus-'));
  try {
    const run = (command, args) =>
      spawnSync(command, args, { cwd: dir, stdio: ['ignore', 'ignore', 'ignore'], timeout: TIMEOUT_MS });
    if (run(apt, ['download', 'prometheus']).status !== 0) {
      run(apt, ['update']);
      run(apt, ['download', 'prometheus']);
    }
    const deb = readdirSync(dir).find((name) => name.endsWith('.deb'));
    if (!deb || run(dpkg, ['--extract', deb, 'root']).status !== 0) return null;
    renameSync(join(dir, 'root', 'usr', 'bin', 'promtool'), kept);
    return kept;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
