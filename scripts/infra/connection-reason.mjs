/** Why a server could not be reached, by the system's or the TLS library's code. */
const REASONS = {
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up just now: is the network up?',
  ECONNREFUSED: 'nothing answers there',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  EPIPE: 'it hangs up',
  ECONNRESET: 'it hangs up',
};

const NO_TLS =
  /wrong version number|packet length too long|unsupported protocol|tlsv1 alert protocol version/i;
const CERTIFICATE =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/**
 * @param {any} error of a connection, possibly of several attempts
 * @returns {string | undefined} half a sentence; undefined when it is not about reaching the server
 */
export function connectionReason(error) {
  const code = error?.code ?? error?.errors?.[0]?.code;
  const message = String(error?.message ?? '');
  if (Object.hasOwn(REASONS, code)) return REASONS[code];
  if (/timeout expired|connect ETIMEDOUT/.test(message)) return REASONS.ETIMEDOUT;
  if (NO_TLS.test(message)) return 'it speaks no TLS there';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another host name';
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (CERTIFICATE.test(code))
    return 'its certificate is signed by nobody this machine trusts: put the certificate of its authority into a file and name it in NODE_EXTRA_CA_CERTS';
  return undefined;
}
