import './load-runtime-env';
import { parseArgs } from 'node:util';
import { verifyChain } from '@/lib/audit/verify-chain';
import type { Verification } from '@/lib/desk/verify/types';
import { verifyPublishedSales } from '@/lib/desk/verify/verify-published-sales';
import { verifySale } from '@/lib/desk/verify/verify-sale';
import { runCommand, UsageError } from './run-command';

/**
 * `npm run verify [-- --sale ID] [--json]`: recomputes the seven invariants of one sale, or of all published ones, and
 * the audit log.
 * Exit code 0: all hold; 1: one is broken, or the log; 2: could not be checked.
 */
async function verify(): Promise<number> {
  const { values } = parseArgs({
    options: { sale: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (values.sale !== undefined) {
    if (values.sale === '') throw new UsageError('--sale needs the id of a sale');
    const verification = await verifySale(values.sale);
    if (!verification) throw new UsageError(`there is no sale ${values.sale}`);
    const audit = await verifyAudit();
    const ok = verification.ok && audit.ok;
    print(values.json ? JSON.stringify({ ...verification, ok, audit }) : report(verification));
    if (!values.json) print(reportAudit(audit));
    return ok ? 0 : 1;
  }
  const sales: Verification[] = [];
  for await (const verification of verifyPublishedSales()) {
    if (!values.json) print(report(verification));
    sales.push(verification);
  }
  const audit = await verifyAudit();
  const ok = sales.every((sale) => sale.ok) && audit.ok;
  if (values.json) print(JSON.stringify({ ok, sales, audit }));
  else {
    print(reportAudit(audit));
    print(`${sales.length} sales, ${sales.filter((sale) => !sale.ok).length} with a broken invariant`);
  }
  return ok ? 0 : 1;
}

async function verifyAudit(): Promise<{ ok: boolean; detail: string }> {
  const { ok, detail } = await verifyChain();
  return { ok, detail };
}

const reportAudit = ({ ok, detail }: { ok: boolean; detail: string }): string =>
  `Audit log\n  ${ok ? '✓' : '✗'} ${detail}\n`;

function report({ saleId, invariants }: Verification): string {
  const lines = invariants.map(
    ({ id, name, ok, detail }) => `  ${ok ? '✓' : '✗'} ${id}  ${name}\n       ${detail}`,
  );
  return [`Sale ${saleId}`, ...lines, ''].join('\n');
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

await runCommand(verify);
