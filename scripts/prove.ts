import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type LogHead, logHead } from '@/lib/contract/shapes/decision-log';
import { checkHead } from '@/lib/decision-log/proof/check-head';
import { checkLog } from '@/lib/decision-log/proof/check-log';
import { type CheckedReceipt, checkReceipt, LONGEST_RECEIPT } from '@/lib/decision-log/proof/check-receipt';
import { parseJson } from '@/lib/decision-log/proof/parse-json';
import { nodeSha256 } from '@/lib/decision-log/pseudonym';
import { sayWhy } from './say-why';
import { UsageError } from './usage-error';

/** The faults of a receipt, in words. */
const FAULTS: Record<Extract<CheckedReceipt, { ok: false }>['fault'], string> = {
  not_a_receipt: 'this is no receipt of ours',
  other_key: 'the public key in it is not the one that the head names',
  bad_signature: 'the signature of the head is wrong',
  not_in_log: 'is not in the log that was signed',
  other_sale: 'is about another sale',
  other_person: 'is about another person',
  other_order: 'is about another order',
};

const OTHER_HEADS_FAULTS = {
  other_key: "The other head names a key that is not the receipt's: nobody can check it by this.",
  bad_signature: 'The signature of the other head is wrong.',
};

const CANNOT =
  'Not proven by this: that nobody was favoured before a decision was made, that accounts are people, and that others see the same log. Compare the head with one that somebody else kept (--head), and the public key with the published one.';

/**
 * `npm run prove -- --receipt FILE [--head FILE] [--log FILE]`: checks a receipt of a sale, and with the published log
 * recomputes all of it. Asks no server. Exit code 0: proven; 1: something does not fit; 2: called wrongly.
 */
async function prove(): Promise<boolean> {
  const { values } = parseArgs({
    options: { receipt: { type: 'string' }, head: { type: 'string' }, log: { type: 'string' } },
  });
  if (!values.receipt) throw new UsageError('--receipt needs a file');
  const checked = await checkReceipt(await read(values.receipt), nodeSha256);
  if (!checked.ok) {
    const where = checked.index === null ? '' : `the decision at ${checked.index} `;
    return say(false, `The receipt is not good: ${where}${FAULTS[checked.fault]}.`);
  }
  sayReceipt(checked);
  const other = values.head ? await readHead(values.head) : null;
  const isGood = [
    ...(other ? [await compareHeads(checked, other, values.log)] : []),
    ...(values.log ? [await recompute(values.log, checked.head)] : []),
    ...(values.log && other ? [await recompute(values.log, other)] : []),
  ].every(Boolean);
  console.log(`\n${CANNOT}`);
  return isGood;
}

function sayReceipt({ head, decisions, person }: Extract<CheckedReceipt, { ok: true }>): void {
  say(
    true,
    `Head of ${head.size} decisions of sale ${head.sale}, ${when(head.at)}${head.final ? ', final' : ''}`,
  );
  console.log(`    key ${head.keyId}\n    root ${head.root}`);
  say(true, `${decisions.length} decisions about ${person} are in it:`);
  for (const { index, leaf, order } of decisions)
    console.log(
      `    ${index}  ${when(leaf.at)}  ${leaf.kind}${order ? `  order ${order}` : ''}  ${JSON.stringify(leaf.detail)}`,
    );
}

async function compareHeads(
  { head, key }: Extract<CheckedReceipt, { ok: true }>,
  other: LogHead,
  log: string | undefined,
): Promise<boolean> {
  if (other.sale !== head.sale) return say(false, 'The head is of another sale.');
  const fault = await checkHead(other, key);
  if (fault) return say(false, OTHER_HEADS_FAULTS[fault]);
  if (other.size === head.size) {
    const isSame = other.root === head.root;
    return say(
      isSame,
      isSame ? 'Both heads are the same.' : 'Two heads of one size differ: the log was forked.',
    );
  }
  if (!log)
    console.log('  – The heads have different sizes: give the published log too (--log) to compare them.');
  return true;
}

async function recompute(file: string, head: LogHead): Promise<boolean> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  const checked = await checkLog(lines, head, nodeSha256);
  if (checked.ok)
    return say(
      true,
      `All ${checked.size} decisions of the log recomputed: ${JSON.stringify(checked.byKind)}`,
    );
  const where = checked.line === null ? '' : ` (line ${checked.line})`;
  return say(false, `The log is not the one with the head of ${head.size}: ${checked.fault}${where}.`);
}

async function read(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > 4 * LONGEST_RECEIPT)
      throw new UsageError(`${file} is too large for a receipt`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

async function readHead(file: string): Promise<LogHead> {
  const given = parseJson(await read(file));
  // As the webhook sends it, or the head alone.
  const inner = (given as { data?: unknown } | null | undefined)?.data ?? given;
  const head = logHead.safeParse(inner);
  if (!head.success) throw new UsageError(`${file} is not a head`);
  return head.data;
}

const when = (at: number): string => new Date(at).toISOString();

function say(isGood: boolean, text: string): boolean {
  console.log(`  ${isGood ? '✓' : '✗'} ${text}`);
  return isGood;
}

try {
  process.exitCode = (await prove()) ? 0 : 1;
} catch (error) {
  console.error(sayWhy(error));
  process.exitCode = 2;
}
