import type { Deps } from '../../kit/deps.ts';
import { listTotpSecrets, replaceTotpSecret } from './store.ts';

/** Number of users per batch. */
const batch = 500;

/** Re-encrypts all TOTP secrets from older keys with the current one, so that the older keys can be removed. Skips
 *  secrets that their users change meanwhile, since those are encrypted with the current key.
 *  @returns the number of re-encrypted secrets
 *  @throws {Error} if a secret's key is not configured */
export async function rotateTotpSecrets({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<number> {
  let rotated = 0;
  let after: string | null = null;
  for (;;) {
    const users = await listTotpSecrets(db, after, batch);
    for (const { id, secret } of users) {
      if (secrets.isCurrent(secret)) continue;
      const kept = secrets.encrypt(secrets.decrypt(secret, id), id);
      rotated += Number(await replaceTotpSecret(db, id, { read: secret, kept }));
    }
    after = users.at(-1)?.id ?? null;
    if (after === null) return rotated;
  }
}
