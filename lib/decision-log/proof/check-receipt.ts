import {
  type Leaf,
  type LogHead,
  type LogReceipt,
  leaf,
  logReceipt,
  type Opening,
} from '@/lib/contract/shapes/decision-log';
import { fromBase64url, isSame, join, type Sha256, toBase64url, utf8, webSha256 } from './bytes';
import { checkHead } from './check-head';
import { leafInput, rootOfInclusion } from './merkle';
import { parseJson } from './parse-json';

type ReceiptFault =
  | 'not_a_receipt'
  | 'other_key'
  | 'bad_signature'
  | 'not_in_log'
  | 'other_sale'
  | 'other_person'
  | 'other_order';

export type CheckedReceipt =
  | { ok: true; head: LogHead; key: string; person: string; decisions: ProvenDecision[] }
  | { ok: false; fault: ReceiptFault; index: number | null };

type ProvenDecision = { index: number; leaf: Leaf; order: string | null };

/** The longest file that is read, in characters: a receipt of 500 decisions has about half of it. */
export const LONGEST_RECEIPT = 2_000_000;

/**
 * Checks a receipt without asking anybody: the signature of the head, and of every decision that it is in the log of
 * that head and is about the person and order that the receipt names. The same in the browser and on the command line.
 * @param text of the file
 */
export async function checkReceipt(text: string, sha256: Sha256 = webSha256): Promise<CheckedReceipt> {
  const read = logReceipt.safeParse(text.length > LONGEST_RECEIPT ? undefined : parseJson(text));
  if (!read.success) return { ok: false, fault: 'not_a_receipt', index: null };
  const receipt = read.data;
  const { head, key, person } = receipt;
  const fault = await checkHead(head, key.publicKey);
  if (fault) return { ok: false, fault, index: null };
  const decisions: ProvenDecision[] = [];
  for (const entry of receipt.entries) {
    const found = await checkEntry(entry, receipt, sha256);
    if (typeof found === 'string') return { ok: false, fault: found, index: entry.index };
    decisions.push({ index: entry.index, leaf: found, order: entry.order?.text ?? null });
  }
  return { ok: true, head, key: key.publicKey, person: person.text, decisions };
}

type Entry = LogReceipt['entries'][number];

async function checkEntry(
  { index, leaf: text, proof, order }: Entry,
  { head, person }: LogReceipt,
  sha256: Sha256,
): Promise<Leaf | ReceiptFault> {
  const hash = await sha256(leafInput(utf8(text)));
  const path = { index, size: head.size, hash, proof: proof.map(fromBase64url) };
  const root = await rootOfInclusion(path, sha256);
  if (!root || !isSame(root, fromBase64url(head.root))) return 'not_in_log';
  const parsed = leaf.safeParse(parseJson(text));
  if (!parsed.success) return 'not_a_receipt';
  if (parsed.data.sale !== head.sale) return 'other_sale';
  if (parsed.data.who !== (await pseudonymOf(person, sha256))) return 'other_person';
  const stated = order ? await pseudonymOf(order, sha256) : undefined;
  return parsed.data.order === stated ? parsed.data : 'other_order';
}

/** Computes the pseudonym that an opening opens. */
async function pseudonymOf({ text, nonce }: Opening, sha256: Sha256): Promise<string> {
  return toBase64url(await sha256(join(fromBase64url(nonce), utf8(text))));
}
