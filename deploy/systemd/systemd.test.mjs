import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isThere } from '../../test/support/is-there.mjs';

const folder = import.meta.dirname;
const root = resolve(folder, '../..');
const ROLES = ['web', 'worker', 'executor', 'migrate'];

describe('systemd', () => {
  const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
  /** Reads a unit: by key, the last value of each. */
  const unit = (file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    return Object.fromEntries(
      lines.flatMap((line) => (/^[A-Z]\w*=/.test(line) ? [line.split(/=(.*)/s, 2)] : [])),
    );
  };

  it('[K6] has a unit for each role, which runs a command that is there', () => {
    expect(units.map((name) => name.replace(/^seckill-|@?\.service$/g, '')).toSorted()).toEqual(
      ROLES.toSorted(),
    );
    for (const name of units) {
      const [, path, role] = /^\/bin\/sh \/opt\/seckill\/(\S+) (\w+)$/.exec(unit(name).ExecStart) ?? [];
      expect(existsSync(join(root, path ?? 'nowhere')), name).toBe(true);
      expect(name).toContain(role);
    }
  });

  it('[K6] takes from all of them what none needs', () => {
    expect(unit('seckill-.service.d/hardening.conf')).toMatchObject({
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      CapabilityBoundingSet: '',
      StateDirectory: 'seckill',
    });
  });

  it('[K6] restarts what ended, and leaves each the time to end', () => {
    for (const name of units.filter((one) => !one.includes('migrate'))) {
      const { Restart, TimeoutStopSec } = unit(name);
      expect({ name, Restart }).toEqual({ name, Restart: 'always' });
      const [, drainMs = 0] =
        /^Environment=DRAIN_MS=(\d+)$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      expect(Number(TimeoutStopSec), name).toBeGreaterThan(Math.max(8, 5 + drainMs / 1_000));
    }
  });

  it.runIf(isThere('systemd-analyze'))('[K6] is understood by systemd', () => {
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', ...units.map((name) => join(folder, name))],
      { encoding: 'utf8' },
    );
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('seckill'))).toEqual([]);
  });
});
