import type { Place, PlaceState } from './types';

const STATES: Record<string, PlaceState> = { w: 'waiting', g: 'given', p: 'passed_over' };

/** Parses a place as the scripts write it: `number,jti,orderNo,state`. @throws Error on anything else */
export function parsePlace(text: string): Omit<Place, 'saleId' | 'userId'> & { state: PlaceState } {
  const [number = '', jti = '', orderNo = '', letter = '', ...rest] = text.split(',');
  const state = STATES[letter];
  if (!/^[1-9]\d*$/.test(number) || !jti || !/^[1-9]\d*$/.test(orderNo) || !state || rest.length > 0)
    throw new Error(`not a place: ${JSON.stringify(text.slice(0, 120))}`);
  return { number: Number(number), jti, orderNo, state };
}
