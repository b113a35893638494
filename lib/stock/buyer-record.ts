import { isId, isOrderNo } from './check-ids';
import type { BuyerRecord, HoldState } from './types';

const STATES: Record<string, HoldState> = { h: 'held', s: 'sold', r: 'released' };

/**
 * Parses the compact form of a user's purchases, `jti,orderNo,units,state` joined by `;`.
 * @throws Error on anything else: we must not change a record that we only half understand.
 */
export function parseBuyerRecords(text: string): BuyerRecord[] {
  return text.split(';').map((part) => {
    const [jti = '', orderNo = '', units = '', letter = '', ...rest] = part.split(',');
    const state = STATES[letter];
    if (!isId(jti) || !isOrderNo(orderNo) || !/^[1-9]\d*$/.test(units) || !state || rest.length > 0) {
      throw new Error(`not a buyer record: ${JSON.stringify(part.slice(0, 120))}`);
    }
    return { jti, orderNo, units: Number(units), state };
  });
}

/** Writes the compact form, as the purchase script does. @throws Error on fields that the form can't hold. */
export function formatBuyerRecords(records: readonly BuyerRecord[]): string {
  const text = records
    .map(({ jti, orderNo, units, state }) => `${jti},${orderNo},${units},${state.charAt(0)}`)
    .join(';');
  parseBuyerRecords(text);
  return text;
}
