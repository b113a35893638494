/** How often a long step looks what it is waiting for, and says it. */
const SAY_EVERY_MS = 10_000;

/**
 * @callback Note reports what a step has done, for its line. @param {string} detail @returns {void}
 * @callback Wait names what a step is waiting for; `what` is called every ten seconds. @param {() => string} what
 *   @returns {void}
 */

/**
 * Prints one line per step, with the seconds it took. A long step says every ten seconds what it is waiting for; on a
 * terminal it overwrites that text. Elsewhere each line stays, so the same words come again only after twice the time. A
 * step that fails leaves its line open for the reason.
 * @param {NodeJS.WritableStream & { isTTY?: boolean }} [out]
 * @param {number} [sayEveryMs]
 */
export function progress(out = process.stdout, sayEveryMs = SAY_EVERY_MS) {
  const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  /** The title of the step whose line is not finished yet. */
  let open = '';
  /** True if other text was written after the title. */
  let isBroken = false;
  const begin = () => out.write(`${out.isTTY && isBroken ? '\r\x1b[K' : isBroken ? '\n' : ''}${open}`);

  return {
    /**
     * @template T
     * @param {string} title
     * @param {(note: Note, wait: Wait) => Promise<T> | T} work
     * @returns {Promise<T>}
     */
    async step(title, work) {
      const since = performance.now();
      let detail = '';
      let waitsFor = () => '';
      let last = { words: '', again: 0 };
      let looks = 0;
      open = `  ${title} … `;
      isBroken = false;
      begin();
      const timer = setInterval(() => {
        looks += 1;
        const words = waitsFor() || 'still at it';
        if (!out.isTTY && words === last.words && looks < last.again) return;
        last = { words, again: 2 * looks };
        const text = `${words} (${seconds(since)})`;
        out.write(out.isTTY ? `\r\x1b[K${open}${text.slice(0, 100)}` : `\n    ${text}`);
        isBroken = true;
      }, sayEveryMs);
      timer.unref();
      try {
        const note = (text) => {
          detail = text;
        };
        const wait = (what) => {
          waitsFor = what;
        };
        const result = await work(note, wait);
        if (isBroken) begin();
        out.write(`${detail ? `${detail}, ` : ''}${seconds(since)}\n`);
        return result;
      } catch (error) {
        if (isBroken) begin();
        out.write('failed\n');
        throw error;
      } finally {
        clearInterval(timer);
        open = '';
      }
    },
    /** Prints a line of its own, even in the middle of a step. @param {string} text */
    line(text) {
      if (open && out.isTTY) {
        // Writes the step's line again below the text: its waiting message overwrites only that line.
        out.write(`\r\x1b[K${text}\n${open}`);
        return;
      }
      out.write(open ? `\n${text}` : `${text}\n`);
      isBroken = true;
    },
  };
}
