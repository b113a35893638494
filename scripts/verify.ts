import './load-runtime-env';
import { parseArgs } from 'node:util';
import type { Verification } from '@/lib/admin/verify/types';
import { verifyLines } from '@/lib/admin/verify/verify-lines';
import { verifyProofs } from '@/lib/admin/verify/verify-proofs';
import { verifyPublishedSales } from '@/lib/admin/verify/verify-published-sales';
import { verifySale } from '@/lib/admin/verify/verify-sale';
import { verifyStatements } from '@/lib/admin/verify/verify-statements';
import { verifyChain } from '@/lib/audit/verify-chain';
import { runCommand } from './run-command';
import { UsageError } from './usage-error';

/**
 * `npm run verify [-- --sale ID] [--json]`: recomputes the eight invariants of one sale, or of all published ones,
 * checks the waiting rooms, the orders of lines and draws, and the audit log; without a sale also compares the statements of the payment providers. Exit code 0: all
 * hold; 1: an invariant, the log, or a statement is broken; 2: could not be checked.
 */
async function verify(): Promise<number> {
  const { values } = parseArgs({
    options: { sale: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (values.sale !== undefined) {
    if (values.sale === '') throw new UsageError('--sale needs the id of a sale');
    const verification = await verifySale(values.sale);
    if (!verification) throw new UsageError(`there is no sale ${values.sale}`);
    const lines = await verifyLines(values.sale);
    const [orders, audit] = [await verifyProofs(values.sale), await verifyAudit()];
    const ok = verification.ok && lines.ok && orders.ok && audit.ok;
    print(values.json ? JSON.stringify({ ...verification, ok, lines, orders, audit }) : report(verification));
    if (!values.json) {
      print(reportCheck('Waiting rooms', lines));
      print(reportCheck('Orders of lines and draws', orders));
      print(reportCheck('Audit log', audit));
    }
    return ok ? 0 : 1;
  }
  const sales: Verification[] = [];
  for await (const verification of verifyPublishedSales()) {
    if (!values.json) print(report(verification));
    sales.push(verification);
  }
  const [statements, lines] = [await verifyStatements(), await verifyLines()];
  const [orders, audit] = [await verifyProofs(), await verifyAudit()];
  const ok = sales.every((sale) => sale.ok) && statements.ok && lines.ok && orders.ok && audit.ok;
  if (values.json) print(JSON.stringify({ ok, sales, statements, lines, orders, audit }));
  else {
    print(reportCheck('Statements of the payment providers', statements));
    print(reportCheck('Waiting rooms', lines));
    print(reportCheck('Orders of lines and draws', orders));
    print(reportCheck('Audit log', audit));
    print(`${sales.length} sales, ${sales.filter((sale) => !sale.ok).length} with a broken invariant`);
  }
  return ok ? 0 : 1;
}

async function verifyAudit(): Promise<{ ok: boolean; detail: string }> {
  const { ok, detail } = await verifyChain();
  return { ok, detail };
}

const reportCheck = (name: string, { ok, detail }: { ok: boolean; detail: string }): string =>
  `${name}\n  ${ok ? '✓' : '✗'} ${detail}\n`;

function report({ saleId, invariants }: Verification): string {
  const lines = invariants.map(
    ({ id, name, ok, detail }) => `  ${ok ? '✓' : '✗'} ${id}  ${name}\n       ${detail}`,
  );
  return [`Sale ${saleId}`, ...lines, ''].join('\n');
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

await runCommand(verify);
