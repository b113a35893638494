import { countedAddress } from '@/lib/http/address-key';

/** Who asks, as far as a request tells. */
export type Caller = {
  /** As `requestAddress` knows it; null: nothing tells. */
  address: string | null;
  headers: Headers;
};

/** By which address a caller's tries are counted; null: it tells nobody from anybody. */
export const countedOf = ({ address }: Caller): string | null => countedAddress(address);
