/** The part of the package that is used; it brings no types. */
declare module 'bloomfilter' {
  export class BloomFilter {
    /** @param bits rounded up to 32 @param hashes how many bits each value sets */
    constructor(bits: number, hashes: number);
    add(value: string): void;
    test(value: string): boolean;
  }
}
