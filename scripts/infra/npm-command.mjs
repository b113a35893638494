/**
 * Returns how to call npm: `npm start` names its own npm-cli.js; without it there may only be a shell script on the
 * PATH.
 * @returns {{ command: string, first: string[] }} `first`: what comes before npm's own arguments
 */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? { command: process.execPath, first: [cli] } : { command: 'npm', first: [] };
}
