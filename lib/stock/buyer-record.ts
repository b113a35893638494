import { formatBought, parseBought } from './bought';
import type { BuyerRecord, HoldState } from './types';

const STATES: Record<string, HoldState> = { h: 'held', s: 'sold', r: 'released' };

/**
 * Parses the compact form of a user's purchases, each as `formatBought` writes it and its state, joined by `;`.
 * @throws Error on anything else: we must not change a record that we only half understand.
 */
export function parseBuyerRecords(text: string): BuyerRecord[] {
  return text.split(';').map((part) => {
    const words = part.split(',');
    const state = STATES[words.pop() ?? ''];
    const bought = parseBought(words);
    if (!bought || !state) throw new Error(`not a buyer record: ${JSON.stringify(part.slice(0, 120))}`);
    return { ...bought, state };
  });
}

/** Parses the same for callers that go on without a record that can't be read: null for such a one. */
export function readBuyerRecords(text: string): BuyerRecord[] | null {
  try {
    return parseBuyerRecords(text);
  } catch {
    return null;
  }
}

/** Writes the compact form, as the purchase script does. @throws Error on fields that the form can't hold. */
export function formatBuyerRecords(records: readonly BuyerRecord[]): string {
  const text = records.map((record) => `${formatBought(record)},${record.state.charAt(0)}`).join(';');
  parseBuyerRecords(text);
  return text;
}
