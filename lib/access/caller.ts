import { countedAddress } from '@/lib/http/address-key';

/** The client of a request, as far as the request tells. */
export type Caller = {
  /** As `requestAddress` finds it; null if nothing tells. */
  address: string | null;
  headers: Headers;
};

/** Returns the address under which a caller's tries are counted; null if the address can't tell callers apart. */
export const countedOf = ({ address }: Caller): string | null => countedAddress(address);
