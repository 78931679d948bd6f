import type { Deps } from '../../kit/deps.ts';
import { listTotpSecrets, replaceTotpSecret } from './store.ts';

/** Users read at a time. */
const batch = 500;

/** Encrypts every TOTP secret that an older key encrypted with the newest one, so that the older one can go. One that its
 *  user changes meanwhile is left to them: it is encrypted with the newest key by that.
 *  @returns how many were encrypted anew
 *  @throws {Error} when a secret's key is not among the configured ones */
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
