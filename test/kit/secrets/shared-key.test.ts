import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { forgetKey, recordKey, refuseOtherKey } from '../../../src/kit/secrets/shared-key.ts';
import { freshDatabase } from '../../support/database.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const other =
  /^ENCRYPTION_KEY: the secrets in this database are encrypted with another key; set it to that key, .* "npm run admin -- forget-key" if it is lost$/;

it('requires the key of the first process, until all secrets are encrypted with a new one', async () => {
  const { pool } = await freshDatabase();
  await refuseOtherKey(pool, [first]);
  await expect(refuseOtherKey(pool, [second])).rejects.toThrow(other);
  await refuseOtherKey(pool, [second, first]);
  await refuseOtherKey(pool, [first]);

  await recordKey(pool, [second, first]);
  await refuseOtherKey(pool, [second]);
  await expect(refuseOtherKey(pool, [first])).rejects.toThrow(other);

  const client = await pool.connect();
  await forgetKey(client).finally(() => client.release());
  await refuseOtherKey(pool, [first]);
});
