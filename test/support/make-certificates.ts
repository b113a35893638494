import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export type Certificates = {
  /** The authority's certificate: a file for `NODE_EXTRA_CA_CERTS`. */
  ca: string;
  /** Settings of a Redis that shows a certificate for this host. */
  settings: Record<string, string>;
};

/** For tests: makes an authority and a certificate for one host in `dir`. @param host such as `IP:127.0.0.1` or `DNS:shop.example` */
export function makeCertificates(dir: string, host = 'IP:127.0.0.1'): Certificates {
  const file = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const [ca, cert, key] = [file('ca.crt'), file('server.crt'), file('server.key')];
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...fresh,
    '-keyout',
    file('ca.key'),
    '-out',
    ca,
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
  );
  openssl(
    'req',
    ...fresh,
    '-keyout',
    key,
    '-out',
    file('server.csr'),
    '-subj',
    '/CN=redis',
    '-addext',
    `subjectAltName=${host}`,
  );
  openssl(
    'x509',
    '-req',
    '-in',
    file('server.csr'),
    '-CA',
    ca,
    '-CAkey',
    file('ca.key'),
    '-CAcreateserial',
    '-copy_extensions',
    'copy',
    '-days',
    '2',
    '-out',
    cert,
  );
  return {
    ca,
    settings: {
      'tls-cert-file': cert,
      'tls-key-file': key,
      'tls-ca-cert-file': ca,
      // Clients show their user and password, not a certificate.
      'tls-auth-clients': 'no',
    },
  };
}
