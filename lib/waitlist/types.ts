/** A place among those who wait for a unit that comes back. */
export type Place = {
  saleId: string;
  /** From 1, in the order of service. */
  number: number;
  userId: string;
  /** Of the entry token it was joined with: the purchase's, once a unit comes. */
  jti: string;
  /** The order's number, once a unit comes. */
  orderNo: string;
};

/** Somebody who is to wait for a unit: the entry token's id, and the order number of the purchase that it may become. */
export type Enlisted = Pick<Place, 'userId' | 'jti' | 'orderNo'>;

/** What became of a place: it waits, has got its unit, or its shopper could not have another one when it was due. */
export type PlaceState = 'waiting' | 'given' | 'passed_over';
