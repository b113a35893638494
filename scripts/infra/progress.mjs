/**
 * One line of progress per step, with the seconds it took. A step that fails leaves its line open for the reason.
 * @param {NodeJS.WritableStream} [out]
 */
export function progress(out = process.stdout) {
  const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  return {
    /**
     * @template T
     * @param {string} title
     * @param {(note: (detail: string) => void) => Promise<T> | T} work may call `note` with what it did.
     * @returns {Promise<T>}
     */
    async step(title, work) {
      const since = performance.now();
      let detail = '';
      out.write(`  ${title} … `);
      try {
        const result = await work((text) => {
          detail = text;
        });
        out.write(`${detail ? `${detail}, ` : ''}${seconds(since)}\n`);
        return result;
      } catch (error) {
        out.write('failed\n');
        throw error;
      }
    },
    /** Something that takes long inside of a step. @param {string} text */
    aside(text) {
      out.write(`${text} … `);
    },
    /** @param {string} text */
    line(text) {
      out.write(`${text}\n`);
    },
  };
}
