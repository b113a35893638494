import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectionReason } from './connection-reason.mjs';

const PROBE_TIMEOUT_MS = 5_000;

/**
 * Explains to a person why a Redis can't be used.
 * @param {any} error of its client
 * @param {URL} parsed its address; the function connects once more to test for TLS where that may be the reason
 * @param {string} [scheme] how the user's address begins, such as `redis+cluster:`
 * @returns {Promise<string>} half a sentence, without the password
 */
export async function redisReason(error, parsed, scheme = parsed.protocol) {
  const message = error.message || error.code || '';
  if (message.startsWith('NOAUTH') || /AUTH called without|HELLO must be called/.test(message))
    return `it wants a password: write ${scheme}//:PASSWORD@host:port`;
  if (message.startsWith('WRONGPASS') || /invalid password|invalid username-password/i.test(message))
    return 'the password or the user name is wrong';
  if (message.startsWith('DENIED'))
    return 'its protected mode refuses other machines: give it a password, or bind it to a private address';
  if (message.startsWith('NOPERM')) {
    const command = /'([^']+)' command/.exec(message)?.[1];
    return `its user may not ${command ? `run ${command.toUpperCase()}` : 'use the keys or channels'}: allow it ~* &* +@all -@dangerous +info +config|get`;
  }
  if (message.startsWith('READONLY')) return 'it is a replica and takes no writes: name its primary';
  if (message.startsWith('MISCONF')) return 'it takes no writes because it cannot save: look at its disk';
  if (message.startsWith('OOM')) return 'its memory is full';
  if (/max number of clients/.test(message)) return 'it has no connection left';
  if (/DB index is out of range|invalid DB index|value is not an integer/.test(message))
    return `it has no database ${parsed.pathname.slice(1)}`;
  if (isHangUp(error)) {
    if (parsed.protocol === 'redis:' && (await speaksTls(parsed)))
      return 'it speaks TLS there: write rediss:// instead of redis://';
    if (parsed.protocol === 'rediss:' && (await speaksPlain(parsed)))
      return 'it speaks no TLS there: write redis:// instead of rediss://';
  }
  return (
    connectionReason(error) ?? (isNonsense(error) ? 'what answers there does not speak like Redis' : message)
  );
}

const isNonsense = ({ message }) =>
  /Connection is closed|Command timed out|Protocol error|Unknown RESP type/.test(message);

/** How a server ends a connection when it expects something else first, or waits for more. */
const isHangUp = (error) =>
  isNonsense(error) ||
  /ECONNRESET|EPIPE|ETIMEDOUT|wrong version number|packet length too long/.test(
    `${error.code} ${error.message}`,
  );

/** Says whether a TLS server listens there, whether its certificate is good or not. */
const speaksTls = ({ hostname, port }) =>
  answers(
    connectTls({ host: hostname, port: Number(port || 6379), rejectUnauthorized: false }),
    'secureConnect',
  );

/** Says whether a Redis listens there without TLS. */
function speaksPlain({ hostname, port }) {
  const socket = connect({ host: hostname, port: Number(port || 6379) }, () => socket.write('PING\r\n'));
  return answers(socket, 'data');
}

function answers(socket, event) {
  return new Promise((resolve) => {
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => done(false));
    socket.once(event, () => done(true));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}
