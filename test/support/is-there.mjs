import { spawnSync } from 'node:child_process';

/** @param {string} program @returns {boolean} whether a program is on the PATH. */
export const isThere = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
