import { writeFileSync } from 'node:fs';

/** Writes the errors that belong to no test to the file `UNHANDLED_ERRORS`: vitest's JSON report leaves them out. */
export default class UnhandledErrors {
  /** @param {unknown} _modules @param {readonly { message: string }[]} errors */
  onTestRunEnd(_modules, errors) {
    const { UNHANDLED_ERRORS } = process.env;
    if (UNHANDLED_ERRORS)
      writeFileSync(UNHANDLED_ERRORS, JSON.stringify(errors.map(({ message }) => message)));
  }
}
