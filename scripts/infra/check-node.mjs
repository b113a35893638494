// Whatever Node is installed has to parse this file, so it uses nothing newer than plain functions.

/** The oldest Node that runs everything we install. */
export var OLDEST_NODE = '20.19.0';

/**
 * @param {string} version e.g. process.versions.node
 * @param {string} platform e.g. process.platform
 * @returns {string | undefined} a message for the user; undefined when all is well.
 */
export function nodeProblem(version, platform) {
  if (platform === 'win32') {
    return 'Windows is not supported directly: run this inside WSL, where it works as on Linux.';
  }
  var have = version.split('.').map(Number);
  var need = OLDEST_NODE.split('.').map(Number);
  var isOld = have[0] < need[0] || (have[0] === need[0] && have[1] < need[1]);
  if (!isOld) return undefined;
  return (
    'Node ' +
    version +
    ' is too old: install Node ' +
    OLDEST_NODE +
    ' or newer from https://nodejs.org and start again.'
  );
}
