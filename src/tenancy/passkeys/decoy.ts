import type { Secrets } from '../../kit/crypto.ts';
import type { CredentialName } from './store.ts';

/** What authenticators in wide use give: the length of their credential ids in bytes, and how they are reached. */
const kinds: readonly { readonly bytes: number; readonly transports: readonly string[] }[] = [
  { bytes: 20, transports: ['hybrid', 'internal'] }, // iCloud Keychain
  { bytes: 32, transports: ['internal'] }, // Chrome on macOS, Windows Hello
  { bytes: 16, transports: ['hybrid', 'internal'] }, // Google Password Manager
  { bytes: 64, transports: ['nfc', 'usb'] }, // security keys
  { bytes: 32, transports: [] },
];

/** One address in this many has two passkeys. */
const oneInTwo = 5;

/** Passkeys that nobody has, for an address without any, known or not: always the same for the same address, and of the
 *  lengths that real ones have, so that asking tells nothing about who is registered. */
export function falseCredentials(secrets: Pick<Secrets, 'hmac'>, email: string): CredentialName[] {
  const count = byteOf(secrets, `${email} count`) % oneInTwo === 0 ? 2 : 1;
  return Array.from({ length: count }, (_, index) => falseCredential(secrets, `${email} ${index}`));
}

function falseCredential(secrets: Pick<Secrets, 'hmac'>, seed: string): CredentialName {
  const kind = kinds[byteOf(secrets, `${seed} kind`) % kinds.length];
  const { bytes, transports } = kind ?? { bytes: 32, transports: [] };
  const id = Buffer.concat([macOf(secrets, `${seed} a`), macOf(secrets, `${seed} b`)]);
  return { credentialId: id.subarray(0, bytes), transports };
}

function byteOf(secrets: Pick<Secrets, 'hmac'>, data: string): number {
  return macOf(secrets, data)[0] ?? 0;
}

function macOf(secrets: Pick<Secrets, 'hmac'>, data: string): Uint8Array<ArrayBuffer> {
  return secrets.hmac('false passkeys', data);
}
