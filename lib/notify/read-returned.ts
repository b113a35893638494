import PostalMime, { type Attachment, type PostalMimeOptions } from 'postal-mime';
import { blamesAddress } from './blames-address';
import { PROOF_HEADER } from './recipient-proof';

/** A report about a mail of ours. */
export type Returned = {
  /** `refused`: nobody gets mail at this address. `complaint`: its reader calls the mail spam. */
  says: 'refused' | 'complaint';
  /** The addresses that it may have been sent to. */
  recipients: string[];
  /** Our header in it: says which of them it was. */
  proof: string;
};

const OPTIONS: PostalMimeOptions = {
  forceRfc822Attachments: true,
  attachmentEncoding: 'utf8',
  maxNestingDepth: 8,
  maxHeadersSize: 32 * 1024,
};
/** RFC 6533 has other names for addresses beyond ASCII. */
const STATUS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const FEEDBACK = new Set(['message/feedback-report']);
const ORIGINAL = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  'message/global',
  'message/global-headers',
]);
/** The complaints of RFC 5965 that a reader makes. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out']);
/** Reading a line takes microseconds, however short it is. Our own mails have some hundred. */
const MOST_LINES = 5_000;
const MOST_RECIPIENTS = 20;
/** The largest part of a field that is read; keeps the search for addresses short. */
const FIELD_CHARACTERS = 1_000;

type Fields = Map<string, string>;

/**
 * Reads a mail that came to our sender's address: a delivery status notification (RFC 3464) or a complaint (RFC 5965).
 * @param raw as the mail server got it
 * @returns null if it is another mail, does not carry ours, or says nothing of the recipient's address
 */
export async function readReturned(raw: Buffer): Promise<Returned | null> {
  if (countLines(raw) > MOST_LINES) return null;
  const parsed = await PostalMime.parse(raw, OPTIONS).catch(() => null);
  const part = (types: ReadonlySet<string>) =>
    parsed?.attachments.find(({ mimeType }) => types.has(mimeType));
  const original = blocksOf(part(ORIGINAL)).find(({ size }) => size > 0);
  const proof = original?.get(PROOF_HEADER.toLowerCase());
  if (!original || !proof) return null;
  const failed = blocksOf(part(STATUS)).filter(hasFailed);
  const complaint = blocksOf(part(FEEDBACK)).find((fields) =>
    COMPLAINTS.has(fields.get('feedback-type')?.toLowerCase() ?? ''),
  );
  const says = complaint ? 'complaint' : failed.length > 0 ? 'refused' : null;
  if (!says) return null;
  const named = [original.get('to'), complaint?.get('original-rcpt-to')];
  for (const fields of failed) named.push(fields.get('original-recipient'), fields.get('final-recipient'));
  const recipients = [...new Set(named.flatMap((text) => /[^\s<>,;"]+@[^\s<>,;"]+/.exec(text ?? '') ?? []))];
  return { says, recipients: recipients.slice(0, MOST_RECIPIENTS), proof };
}

function countLines(raw: Buffer): number {
  let lines = 1;
  for (let at = raw.indexOf('\n'); at >= 0; at = raw.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** A relay that gives up after days says 4.4.7: the address may be right. */
function hasFailed(fields: Fields): boolean {
  const status = fields.get('status') ?? '';
  return (
    fields.get('action')?.toLowerCase() === 'failed' &&
    status.startsWith('5.') &&
    blamesAddress(`${status} ${fields.get('diagnostic-code')}`)
  );
}

/** Splits a part into its blocks of fields. Names are in small letters; of a name that comes twice the first counts. */
function blocksOf(part: Attachment | undefined): Fields[] {
  if (typeof part?.content !== 'string') return [];
  const lines = part.content.replaceAll(/\r?\n[ \t]+(?=\S)/g, ' ').split(/\r?\n/);
  const blocks: Fields[] = [new Map()];
  for (const line of lines) {
    const [, name, value] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? [];
    const block = blocks.at(-1) as Fields;
    if (line.trim() === '') blocks.push(new Map());
    else if (name && value && !block.has(name.toLowerCase()))
      block.set(name.toLowerCase(), value.trim().slice(0, FIELD_CHARACTERS));
  }
  return blocks;
}
