import { openSecrets, type Secrets } from '../../kit/crypto.ts';
import { AppError, fix, message, operation } from '../../kit/errors.ts';
import type { ConnectionSpec } from '../../providers/spec.ts';
import type { SpecSource } from './protocol.ts';

/** Decrypts what connects an account, in the process that is to use it.
 *  @returns also the credentials sealed anew, when another than the current key had sealed them
 *  @throws {AppError} VALIDATION_ERROR when no key opens them */
export function unsealSpec(source: SpecSource): { spec: ConnectionSpec; resealed: Uint8Array | null } {
  if ('plain' in source) return { spec: source.plain, resealed: null };
  const { provider, settings, trustExternalId, sealed, rowId, keys } = source;
  const secrets = openSecrets(keys);
  const text = decrypt(secrets, sealed, rowId);
  // Both were read strictly when the account was connected.
  const spec = { provider, settings, trustExternalId, credentials: JSON.parse(text) } as ConnectionSpec;
  return { spec, resealed: secrets.isCurrent(sealed) ? null : secrets.encrypt(text, rowId) };
}

function decrypt(secrets: Secrets, sealed: Uint8Array, rowId: string): string {
  try {
    return secrets.decrypt(sealed, rowId);
  } catch (cause) {
    throw new AppError(
      'VALIDATION_ERROR',
      message`The stored credentials cannot be decrypted with the keys of this server${fix}send them again with ${operation('PATCH /accounts/{id}')}, or have the operator add the old key to ENCRYPTION_KEY`,
      { cause },
    );
  }
}
