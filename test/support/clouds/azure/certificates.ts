import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';

// A CA and a certificate for 127.0.0.1 and localhost, valid until 2126 and made for tests alone: the CA's key was thrown away.
const folder = path.join(import.meta.dirname, 'certificates');

/** As NODE_EXTRA_CA_CERTS takes it. */
export const caPath = path.join(folder, 'ca.pem');
export const serverCertPath = path.join(folder, 'server.pem');
export const serverKeyPath = path.join(folder, 'server.key');

/** Lets this process, and those that it starts with its environment, trust the tests' servers. */
export function trustTestCa(): void {
  process.env['NODE_EXTRA_CA_CERTS'] = caPath;
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(caPath, 'utf8')]);
}
