// Certificates for receivers on loopback, which openssl creates when a test starts: nothing secret or expiring is kept.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/paths.js';

export interface Pair {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** PEM of the authority that signed the next three, which a sender must trust. */
  readonly authority: string;
  /** For localhost and 127.0.0.1. */
  readonly good: Pair;
  /** Like `good`, but it expired yesterday. */
  readonly expired: Pair;
  /** For other.example alone. */
  readonly otherHost: Pair;
  /** For localhost, signed by itself. */
  readonly selfSigned: Pair;
}

const HERE = 'DNS:localhost,IP:127.0.0.1';

/** A new authority with its certificates, in a temporary folder. Needs the `openssl` command. */
export function makeCertificates(): Certificates {
  const folder = temporaryFolder('certificates');
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const request = (name: string): void =>
    openssl(
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`],
    );
  const sign = (name: string, days: number, extensions: string, ...by: readonly string[]): Pair => {
    request(name);
    writeFileSync(join(folder, `${name}.ext`), extensions);
    const signer = by.length > 0 ? by : ['-signkey', `${name}.key`];
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, ...signer, '-days', String(days)],
      ...['-extfile', `${name}.ext`, '-out', `${name}.crt`],
    );
    const read = (ending: string): string => readFileSync(join(folder, `${name}.${ending}`), 'utf8');
    return { key: read('key'), cert: read('crt') };
  };
  const authority = sign('authority', 2, 'basicConstraints=critical,CA:TRUE');
  const byAuthority = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial'];
  return {
    authority: authority.cert,
    good: sign('good', 2, `subjectAltName=${HERE}`, ...byAuthority),
    expired: sign('expired', -1, `subjectAltName=${HERE}`, ...byAuthority),
    otherHost: sign('other', 2, 'subjectAltName=DNS:other.example', ...byAuthority),
    selfSigned: sign('self', 2, `subjectAltName=${HERE}`),
  };
}
