import './load-runtime-env';
import { parseArgs } from 'node:util';
import { verifyChain } from '@/lib/audit/verify-chain';
import type { Verification } from '@/lib/verify/types';
import { verifyLines } from '@/lib/verify/verify-lines';
import { type LogVerification, verifyLog } from '@/lib/verify/verify-log';
import { verifyProofs } from '@/lib/verify/verify-proofs';
import { verifyPublishedSales } from '@/lib/verify/verify-published-sales';
import { verifySale } from '@/lib/verify/verify-sale';
import { verifyStatements } from '@/lib/verify/verify-statements';
import { runCommand } from './run-command';
import { UsageError } from './usage-error';

/**
 * `npm run verify [-- --sale ID] [--json]`: recomputes the eight invariants of one sale, or of all published ones, with
 * its decision log, waiting room and draw, and the audit log; without a sale also compares the statements of the
 * payment providers. Exit code 0: all hold; 1: something is broken; 2: could not be checked.
 */
async function verify(): Promise<number> {
  const { values } = parseArgs({
    options: { sale: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (values.sale !== undefined) {
    if (values.sale === '') throw new UsageError('--sale needs the id of a sale');
    const verification = await verifySale(values.sale);
    if (!verification) throw new UsageError(`there is no sale ${values.sale}`);
    const log = await verifyLog(values.sale);
    const lines = await verifyLines(values.sale);
    const [orders, audit] = [await verifyProofs(values.sale), await verifyAudit()];
    const ok = verification.ok && log.ok && lines.ok && orders.ok && audit.ok;
    print(
      values.json
        ? JSON.stringify({ ...verification, ok, log, lines, orders, audit })
        : report(verification, log),
    );
    if (!values.json) {
      print(reportCheck('Waiting rooms', lines));
      print(reportCheck('Orders of lines and draws', orders));
      print(reportCheck('Audit log', audit));
    }
    return ok ? 0 : 1;
  }
  const sales: (Verification & { log: LogVerification })[] = [];
  for await (const verification of verifyPublishedSales()) {
    const log = await verifyLog(verification.saleId);
    if (!values.json) print(report(verification, log));
    sales.push({ ...verification, log });
  }
  const [statements, lines] = [await verifyStatements(), await verifyLines()];
  const [orders, audit] = [await verifyProofs(), await verifyAudit()];
  const isSound = sales.every((sale) => sale.ok && sale.log.ok);
  const ok = isSound && statements.ok && lines.ok && orders.ok && audit.ok;
  if (values.json) print(JSON.stringify({ ok, sales, statements, lines, orders, audit }));
  else {
    print(reportCheck('Statements of the payment providers', statements));
    print(reportCheck('Waiting rooms', lines));
    print(reportCheck('Orders of lines and draws', orders));
    print(reportCheck('Audit log', audit));
    print(
      `${sales.length} sales, ${sales.filter((sale) => !sale.ok).length} with a broken invariant, ${sales.filter(({ log }) => !log.ok).length} with a broken log`,
    );
  }
  return ok ? 0 : 1;
}

async function verifyAudit(): Promise<{ ok: boolean; detail: string }> {
  const { ok, detail } = await verifyChain();
  return { ok, detail };
}

const reportCheck = (name: string, { ok, detail }: { ok: boolean; detail: string }): string =>
  `${name}\n  ${ok ? '✓' : '✗'} ${detail}\n`;

function report({ saleId, invariants }: Verification, log: LogVerification): string {
  const lines = invariants.map(
    ({ id, name, ok, detail }) => `  ${ok ? '✓' : '✗'} ${id}  ${name}\n       ${detail}`,
  );
  const logged = `  ${log.ok ? '✓' : '✗'} decision log\n       ${log.detail}`;
  return [`Sale ${saleId}`, ...lines, logged, ''].join('\n');
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

await runCommand(verify);
