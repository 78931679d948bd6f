import fs from 'node:fs';
import type { TlsOptions } from 'node:tls';

/** The cipher suites of TLS 1.3 and those of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325,
 *  section 4.2), the strongest first. */
const cipherSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
];

/** Time limit of a handshake, in milliseconds: a client that does not finish it holds a connection. */
const handshakeMs = 10_000;

/** TLS settings of the server.
 *  @throws {Error} if a file cannot be read */
export function serverTls({ certPath, keyPath }: { certPath: string; keyPath: string }): TlsOptions {
  return {
    cert: fs.readFileSync(certPath),
    key: fs.readFileSync(keyPath),
    minVersion: 'TLSv1.2',
    ciphers: cipherSuites.join(':'),
    honorCipherOrder: true,
    handshakeTimeout: handshakeMs,
  };
}
