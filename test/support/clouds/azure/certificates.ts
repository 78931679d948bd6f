import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';

// A CA and a certificate for 127.0.0.1 and localhost, valid until 2126, only for tests: the key of the CA was
// discarded.
const folder = path.join(import.meta.dirname, 'certificates');

/** In the format of NODE_EXTRA_CA_CERTS. */
export const caPath = path.join(folder, 'ca.pem');
export const serverCertPath = path.join(folder, 'server.pem');
export const serverKeyPath = path.join(folder, 'server.key');

/** Makes this process, and child processes with its environment, trust the test servers. */
export function trustTestCa(): void {
  process.env['NODE_EXTRA_CA_CERTS'] = caPath;
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(caPath, 'utf8')]);
}
