/** Types for the part of the package that we use; the package has none. */
declare module 'bloomfilter' {
  export class BloomFilter {
    /** @param bits rounded up to 32 @param hashes how many bits each value sets */
    constructor(bits: number, hashes: number);
    add(value: string): void;
    test(value: string): boolean;
  }
}
