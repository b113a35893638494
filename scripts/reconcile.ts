import type { ReconcileReport } from '@/lib/contract/shapes/reconcile';
import './load-runtime-env';
import { parseArgs } from 'node:util';
import { log } from '@/lib/http/log';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { runCommand } from './run-command';
import { UsageError } from './usage-error';

const WAIT_MS = 60_000;
const GRACE_MS = 2_000;

// Standard output is reserved for the report.
log.level = 'silent';

/**
 * `npm run reconcile -- --sale ID [--json] [--repair]`: compares Redis, the outbox, Postgres and the payment
 * providers, names the differences, and with `--repair` corrects those that are safe to correct. Exit code 0: nothing
 * differs any more; 1: something does; 2: could not be compared.
 */
async function reconcile(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sale: { type: 'string' },
      json: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
    },
  });
  if (!values.sale) throw new UsageError('--sale needs the id of a sale');
  const options = {
    cause: 'demand',
    isRepairing: values.repair,
    graceMs: GRACE_MS,
    waitMs: WAIT_MS,
  } as const;
  const result = await reconcileSale(values.sale, options);
  if (result.status === 'not_published') throw new UsageError(`there is no published sale ${values.sale}`);
  if (result.status === 'busy') throw new UsageError(`sale ${values.sale} is being reconciled right now`);
  const { report } = result;
  process.stdout.write(`${values.json ? JSON.stringify(report) : inWords(report)}\n`);
  return report.ok ? 0 : 1;
}

function inWords({ saleId, found, repaired, inFlight, differences }: ReconcileReport): string {
  const lines = differences.map(({ kind, orderNo, detail, outcome }) => {
    const subject = orderNo === null ? '' : `order ${orderNo}: `;
    return `  ${outcome === 'repaired' ? '✓' : '✗'} ${kind}  ${subject}${detail} (${outcome})`;
  });
  const summary = `${found} differences, ${repaired} repaired, ${inFlight} purchases on their way`;
  return [`Sale ${saleId}: ${summary}`, ...lines].join('\n');
}

await runCommand(reconcile);
