const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
const WORD_BYTES = 4;
/** Blocks encrypted at once: 1 KB at first, for a short order, then four times as much each time, up to 256 KB. */
const FIRST_BLOCKS = 64;
const MOST_BLOCKS = 16_384;

/**
 * The 32-bit words of an AES-256-CTR keystream: zeros encrypted, the 16-byte counter starting at 0, each four bytes
 * read little-endian. WebCrypto encrypts a chunk at a time, so a reader asks for the next chunk before this one ends.
 */
export class Keystream {
  private words = new DataView(new ArrayBuffer(0));
  private at = 0;
  private blocks = 0;
  private nextBlocks = FIRST_BLOCKS;

  private constructor(private readonly key: CryptoKey) {}

  /**
   * Starts the keystream of a key.
   * @param key 32 bytes
   * @throws RangeError on a key of another length
   */
  static async of(key: Uint8Array): Promise<Keystream> {
    if (key.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes, not ${key.length}`);
    const { subtle } = globalThis.crypto;
    return new Keystream(await subtle.importKey('raw', new Uint8Array(key), 'AES-CTR', false, ['encrypt']));
  }

  /** Tells whether `fill` has to be called before `next`. */
  get isEmpty(): boolean {
    return this.at === this.words.byteLength;
  }

  /** Makes the next chunk of words. */
  async fill(): Promise<void> {
    const counter = new Uint8Array(BLOCK_BYTES);
    new DataView(counter.buffer).setBigUint64(8, BigInt(this.blocks));
    const how = { name: 'AES-CTR', counter, length: 64 };
    this.words = new DataView(
      await globalThis.crypto.subtle.encrypt(how, this.key, new Uint8Array(this.nextBlocks * BLOCK_BYTES)),
    );
    this.at = 0;
    this.blocks += this.nextBlocks;
    this.nextBlocks = Math.min(4 * this.nextBlocks, MOST_BLOCKS);
  }

  /** Takes the next word. */
  next(): number {
    const word = this.words.getUint32(this.at, true);
    this.at += WORD_BYTES;
    return word;
  }
}
