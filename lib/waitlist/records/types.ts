/** A place among those who wait for a unit that comes back. */
export type Place = {
  saleId: string;
  /** From 1, in the order of service. */
  number: number;
  userId: string;
  /** The id of the entry token that joined; it becomes the purchase's, once a unit comes. */
  jti: string;
  /** The order's number, once a unit comes. */
  orderNo: string;
  /** The variant that is wished, by its number from 1; 0: the sale has none. */
  variant: number;
};

/** A place waits, has got its unit, or was passed over because its shopper could have no other unit by then. */
export type PlaceState = 'waiting' | 'given' | 'passed_over';
