import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type LogHead, logHead } from '@/lib/contract/shapes/decision-log';
import { checkHead } from '@/lib/decision-log/proof/check-head';
import { checkLog } from '@/lib/decision-log/proof/check-log';
import {
  type CheckedOrder,
  checkOrderFile,
  LONGEST_LIST,
  type OrderFileFault,
} from '@/lib/decision-log/proof/check-order-file';
import { type CheckedReceipt, checkReceipt, LONGEST_RECEIPT } from '@/lib/decision-log/proof/check-receipt';
import { type LeavesFault, LineLeaves } from '@/lib/decision-log/proof/line-leaves';
import { parseJson } from '@/lib/decision-log/proof/parse-json';
import { nodeSha256 } from '@/lib/decision-log/pseudonym';
import { sayWhy } from './say-why';
import { UsageError } from './usage-error';

/** What each fault of a receipt means. */
const FAULTS: Record<Extract<CheckedReceipt, { ok: false }>['fault'], string> = {
  not_a_receipt: 'this is no receipt of ours',
  other_key: 'the public key in it is not the one that the head names',
  bad_signature: 'the signature of the head is wrong',
  not_in_log: 'is not in the log that was signed',
  other_sale: 'is about another sale',
  other_person: 'is about another person',
  other_order: 'is about another order',
};

/** What each fault of a list means. */
const ORDER_FAULTS: Record<OrderFileFault, string> = {
  not_a_list: 'this is no list of ours',
  other_key: FAULTS.other_key,
  bad_signature: FAULTS.bad_signature,
  not_in_log: 'what binds it is not in the log that was signed',
  other_sale: 'it is of another sale',
  malformed: 'a value in it is none',
  seed_changed: 'the seed is not the one whose hash was published before',
  entries_changed: 'somebody was put in or taken out',
  nonces_changed: 'the nonces are not those that the order was made of',
  person_twice: 'one person has two chances',
  order_changed: 'the order that follows is another one',
  not_committed: 'the log does not hold the hash of this seed',
  other_order: 'the log holds another order',
  two_histories: 'the log holds two commitments or two orders',
  list_changed: 'it is not the list whose hash is in the log',
  weight_against_rule: 'somebody has tickets that the published rule does not give',
};

/** How a list can differ from the leaves of the log. */
const LEAVES_FAULTS: Record<LeavesFault, string> = {
  committed_late: 'somebody joined before the hash of the seed was there',
  not_entered: 'somebody did not join so',
  dropped: 'somebody joined and is missing',
  entered_twice: 'two people have one number',
  drawn_otherwise: 'a result of the draw is another one',
};

const CANNOT =
  'Not proven by this: that nobody was favoured before a decision was made, that accounts are people, and that others see the same log. Compare the head with one that somebody else kept (--head), and the public key with the published one.';

/**
 * `npm run prove -- --receipt FILE | --draw FILE | --line FILE [--head FILE] [--log FILE]`: checks a receipt of a sale, or
 * the list of a draw or line, and with the published log recomputes all of it. Asks no server. Exit code 0: proven; 1:
 * something does not fit; 2: called wrongly.
 */
async function prove(): Promise<number> {
  const file = { type: 'string' } as const;
  const { values } = parseArgs({ options: { receipt: file, draw: file, line: file, head: file, log: file } });
  const given = [values.receipt, values.draw, values.line].filter((name) => name !== undefined);
  if (given.length !== 1 || !given[0])
    throw new UsageError('one of --receipt, --draw and --line needs a file');
  return values.receipt
    ? proveReceipt(values.receipt, values)
    : proveOrder(values.draw ?? (values.line as string), values.draw ? 'draw' : 'waiting_room', values);
}

type Beside = { head?: string | undefined; log?: string | undefined };

async function proveReceipt(receipt: string, values: Beside): Promise<number> {
  const checked = await checkReceipt(await read(receipt), nodeSha256);
  if (!checked.ok) {
    const where = checked.index === null ? '' : `the decision at ${checked.index} `;
    return say(false, `The receipt is not good: ${where}${FAULTS[checked.fault]}.`);
  }
  sayReceipt(checked);
  return compareWithOthers(checked, values);
}

async function proveOrder(name: string, admission: string, values: Beside): Promise<number> {
  const checked = await checkOrderFile(await read(name, LONGEST_LIST), nodeSha256);
  if (!checked.ok) {
    const where = checked.number === null ? '' : ` (number ${checked.number})`;
    return say(false, `The list is not good: ${ORDER_FAULTS[checked.fault]}${where}.`);
  }
  const { file } = checked;
  if (file.admission !== admission)
    throw new UsageError(`${name} is the list of a ${file.admission === 'draw' ? 'draw' : 'line'}`);
  sayOrder(checked);
  const isLogged = values.log ? await compareLeaves(values.log, checked) : true;
  return (await compareWithOthers(checked, values)) === 0 && isLogged ? 0 : 1;
}

/** Compares every entry with the leaves of the log: who joined, and the result of a draw. */
async function compareLeaves(
  log: string,
  { file, head }: Extract<CheckedOrder, { ok: true }>,
): Promise<boolean> {
  const leaves = new LineLeaves();
  let size = 0;
  for await (const line of linesOf(log)) {
    if (size === head.size) break;
    leaves.add(line);
    size += 1;
  }
  const fault = leaves.compare(file.admission === 'draw', file.entries);
  if (!fault) return say(true, 'Everybody in the list joined as it says, by the log.') === 0;
  const where = fault.number === undefined ? '' : ` (number ${fault.number})`;
  return say(false, `The list is not what the log says: ${LEAVES_FAULTS[fault.problem]}${where}.`) === 0;
}

function sayOrder({ file, head }: Extract<CheckedOrder, { ok: true }>): void {
  const { shuffle, entries, seedHash } = file;
  say(
    true,
    `Head of ${head.size} decisions of sale ${head.sale}, ${when(head.at)}${head.final ? ', final' : ''}`,
  );
  say(
    true,
    `The places of ${entries.length} entries follow from the seed whose hash was published before: ${seedHash}`,
  );
  const beacon =
    shuffle.beacon === null
      ? `no public value went in${shuffle.beaconUrl ? `: ${shuffle.beaconUrl} was asked and told nothing` : ''}`
      : `the public value ${shuffle.beacon} of ${shuffle.beaconUrl} went in`;
  console.log(`    ${beacon}`);
}

/** Compares what was proven with a head that somebody else kept, and with the published log. */
async function compareWithOthers(checked: { head: LogHead; key: string }, values: Beside): Promise<number> {
  const other = values.head ? await readHead(values.head) : null;
  const isGood = [
    ...(other ? [await compareHeads(checked, other, values.log)] : []),
    ...(values.log ? [await recompute(values.log, checked.head)] : []),
    ...(values.log && other ? [await recompute(values.log, other)] : []),
  ].every(Boolean);
  console.log(`\n${CANNOT}`);
  return isGood ? 0 : 1;
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
  { head, key }: { head: LogHead; key: string },
  other: LogHead,
  log: string | undefined,
): Promise<boolean> {
  if (other.sale !== head.sale) return say(false, 'The head is of another sale.') === 0;
  if (other.keyId === head.keyId && (await checkHead(other, key)))
    return say(false, 'The signature of the other head is wrong.') === 0;
  if (other.size === head.size) {
    const isSame = other.root === head.root;
    return (
      say(
        isSame,
        isSame ? 'Both heads are the same.' : 'Two heads of one size differ: the log was forked.',
      ) === 0
    );
  }
  if (!log)
    console.log('  – The heads have different sizes: give the published log too (--log) to compare them.');
  return true;
}

async function recompute(file: string, head: LogHead): Promise<boolean> {
  const checked = await checkLog(linesOf(file), head, nodeSha256);
  if (checked.ok)
    return (
      say(true, `All ${checked.size} decisions of the log recomputed: ${JSON.stringify(checked.byKind)}`) ===
      0
    );
  const where = checked.line === null ? '' : ` (line ${checked.line})`;
  return say(false, `The log is not the one with the head of ${head.size}: ${checked.fault}${where}.`) === 0;
}

const linesOf = (file: string) =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });

async function read(file: string, longest = 4 * LONGEST_RECEIPT): Promise<string> {
  try {
    if ((await stat(file)).size > longest) throw new UsageError(`${file} is too large`);
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

function say(isGood: boolean, text: string): number {
  console.log(`  ${isGood ? '✓' : '✗'} ${text}`);
  return isGood ? 0 : 1;
}

try {
  process.exitCode = await prove();
} catch (error) {
  console.error(sayWhy(error));
  process.exitCode = 2;
}
