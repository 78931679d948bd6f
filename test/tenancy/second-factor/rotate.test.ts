import { expect, it } from 'vitest';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import { rotateTotpSecrets } from '../../../src/tenancy/second-factor/rotate.ts';
import { tenancyWorld } from '../support.ts';

const [old, young] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];

it('re-encrypts secrets of an older key, and keeps all others', async () => {
  const { deps } = await tenancyWorld();
  const before = openSecrets([old]);
  const both = openSecrets([young, old]);
  const users = await Promise.all(
    ['ana', 'ben', 'eve'].map((name) =>
      deps.db.user.create({ data: { email: `${name}@costkeep.example`, name, passwordHash: 'x' } }),
    ),
  );
  const [ana, ben] = users.map(({ id }) => id);
  if (!ana || !ben) throw new Error('no users');
  await deps.db.user.update({ where: { id: ana }, data: { totpSecret: before.encrypt('JBSWY3DP', ana) } });
  await deps.db.user.update({ where: { id: ben }, data: { totpSecret: both.encrypt('KRUGKIDR', ben) } });
  expect(await rotateTotpSecrets({ db: deps.db, secrets: both })).toBe(1);
  const only = openSecrets([young]);
  const stored = await deps.db.user.findMany({ orderBy: { email: 'asc' } });
  expect(stored.map(({ id, totpSecret }) => totpSecret && only.decrypt(totpSecret, id))).toEqual([
    'JBSWY3DP',
    'KRUGKIDR',
    null,
  ]);
  expect(await rotateTotpSecrets({ db: deps.db, secrets: both })).toBe(0);
});

it('fails on a secret whose key is not configured, naming the key', async () => {
  const { deps } = await tenancyWorld();
  const user = await deps.db.user.create({ data: { email: 'ana@costkeep.example', name: 'Ana', passwordHash: 'x' } });
  const totpSecret = openSecrets([old]).encrypt('JBSWY3DP', user.id);
  await deps.db.user.update({ where: { id: user.id }, data: { totpSecret } });
  await expect(rotateTotpSecrets({ db: deps.db, secrets: openSecrets([young]) })).rejects.toThrow(
    /encrypted with key [0-9a-f]{8}, which is not in ENCRYPTION_KEY/,
  );
});
