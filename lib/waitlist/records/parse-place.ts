import type { Place, PlaceState } from './types';

const STATES: Record<string, PlaceState> = { w: 'waiting', g: 'given', p: 'passed_over' };

type Parsed = Omit<Place, 'saleId' | 'userId'>;

/** Parses a place as the scripts write it: `number,jti,orderNo,state`, and `variant`. @throws Error on anything else */
export function parsePlace(text: string): Parsed & { state: PlaceState } {
  const [number = '', jti = '', orderNo = '', letter = '', variant = '0', ...rest] = text.split(',');
  const state = STATES[letter];
  const areCounts = [number, orderNo].every((word) => /^[1-9]\d*$/.test(word)) && /^\d+$/.test(variant);
  if (!areCounts || !jti || !state || rest.length > 0)
    throw new Error(`not a place: ${JSON.stringify(text.slice(0, 120))}`);
  return { number: Number(number), jti, orderNo, state, variant: Number(variant) };
}

/** Formats a place that waits. */
export const formatWaiting = ({ number, jti, orderNo, variant }: Parsed): string =>
  `${number},${jti},${orderNo},w${variant > 0 ? `,${variant}` : ''}`;
