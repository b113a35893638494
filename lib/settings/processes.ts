import { z } from 'zod';
import { port, whole, wholeOrOff } from './kinds';
import { SHOP, tell } from './tell';

/** An address that only this machine reaches. */
export const LOOPBACK = '127.0.0.1';

const onOff = z.enum(['on', 'off'], 'must be on or off').default('on');

/** How the processes run, and how much they take on. */
export const processSettings = {
  PORT: tell(port.default(3000), { says: 'The port a web process listens on.', usedBy: ['start', 'web'] }),
  SECKILL_HOST: tell(z.string().optional(), {
    says: 'The address a web process listens on.',
    usedBy: ['start', 'web'],
    example: '127.0.0.1',
    unset: 'all addresses',
  }),
  WEB_CONCURRENCY: tell(whole(1, 256).default(1), {
    says: 'How many web processes serve the one port.',
    usedBy: ['start', 'web'],
    example: '4',
  }),
  TRUST_PROXY: tell(whole(0, 10).default(0), {
    says: "How many proxies of yours stand in front: a client's address is read that many entries from the end of `X-Forwarded-For`.",
    usedBy: ['start', 'web'],
    example: '1',
  }),
  DRAIN_MS: tell(whole(0, 60_000).default(0), {
    says: 'How long a web process that was told to end still takes requests, in ms, so that the balancer in front loses none ([UPGRADE.md](UPGRADE.md)).',
    usedBy: ['web'],
    example: '5000',
  }),
  SIGN_IN_CORES: tell(whole(1, 256).optional(), {
    says: "Processor cores that check passwords, at the lowest priority. Set it in containers: Node counts the machine's cores.",
    usedBy: ['web'],
    example: '1',
    unset: 'all but one',
  }),
  SECKILL_NEXT_MEMORY_MB: tell(whole(384, 65_536).default(768), {
    says: 'MiB that the process running Next may use; above it a new process takes over.',
    usedBy: ['web'],
  }),
  SECKILL_FAST_LANE: tell(onOff, {
    says: '`off`: Next answers everything. For comparing the two, and in case the fast path ever misbehaves.',
    usedBy: ['web'],
  }),
  SECKILL_PLAIN_HTTP: tell(onOff, {
    says: "`off`: `node:http` reads every request; the fast path's own reader of plain requests is not used.",
    usedBy: ['web'],
  }),
  SHED_ABOVE: tell(wholeOrOff(1, 97).optional(), {
    says: 'How busy a web process must be, in per cent of its time, for the first [side feature](ADMIN.md#the-switchboard) to go by itself; `off`: none does.',
    usedBy: ['web'],
    unset: '90',
  }),
  SECKILL_BACKLOG_CAP: tell(whole(1, 10_000_000).default(100_000), {
    says: 'How many accepted purchases of one sale may wait to be written; above it the shop refuses new ones with 503.',
    usedBy: SHOP,
  }),
  MEDIA_DIR: tell(z.string().default('.data/media'), {
    says: 'The folder of uploaded pictures: several web machines share one. [A backup](BACKUP.md) has it only in the data directory.',
    usedBy: ['web'],
    example: '/srv/shop/media',
  }),
  METRICS_HOST: tell(z.string().default(LOOPBACK), {
    says: 'The address where a worker serves metrics and health.',
    usedBy: ['worker'],
  }),
  METRICS_PORT: tell(port.default(9464), {
    says: 'The port there. Several workers of a machine: a port for each, or one of them answers for all.',
    usedBy: ['worker'],
  }),
  NODE_ENV: tell(z.string().optional(), {
    says: 'Set by the commands and the image.',
    usedBy: [],
    unset: '`production` by the commands',
  }),
};
